// Row operations of which softmax is composed.
#pragma once

namespace wf {

// max(row); -infinity for an empty row.
float row_maximum(const float* row, int count);

// row = e^(row - shift) in place; returns the sum. An entry of -infinity becomes exactly 0.
float exponentials(float* row, int count, float shift);

// Returns the sum without writing the exponentials.
float sum_of_exponentials(const float* row, int count, float shift);

void scale_row(float* row, int count, float factor);

}  // namespace wf
