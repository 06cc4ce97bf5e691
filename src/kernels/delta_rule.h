// The gated delta rule (Yang, Kautz & Hatamizadeh 2024, arXiv 2412.06464, eq. 10) in one head. It
// keeps a matrix S [D,Dv], which each token changes and then reads:
//   S = α·S;   δ = β·(v − Sᵀk);   S = S + k·δᵀ;   o = Sᵀq
// So o = Σ_j w_j·v_j with w_j = β_j · qᵀ·M_t···M_{j+1}·k_j and M = α·(I − β·k·kᵀ). Without
// overwriting, δ = β·v and M = α: the recurrence of Mamba-2 (Dao & Gu 2024, arXiv 2405.21060),
// where q, k and v are C, B and x, and β is the length of a step.
#pragma once

namespace wf {

struct DeltaSizes {
  int keys, values;  // channels D and Dv
  bool overwrites = true;
};

struct DeltaToken {
  const float* q;  // [D], scaled
  const float* k;  // [D], of length 1 if it overwrites
  const float* v;  // [Dv]
  float decay;  // α, 0 to 1
  float write;  // β, 0 to 1; any positive number without overwriting
};

// Changes S and writes o [Dv].
void delta_step(const DeltaToken& token, DeltaSizes sizes, float* state, float* o);

// What the backward step of a token writes, or in q and k, which heads may share, adds to.
struct DeltaGradients {
  float* q;  // [D]
  float* k;  // [D]
  float* v;  // [Dv]
  float decay, write;
};

// From d_o [Dv] and the gradient of S after the step, in d_state [D,Dv], to that of S before it,
// and of the token. `before` and `after` are S; `scratch` has 2·Dv floats.
void delta_step_backward(const DeltaToken& token, DeltaSizes sizes, const float* before,
                         const float* after, const float* d_o, float* d_state, float* scratch,
                         DeltaGradients& gradients);

// Returns w_j for token j, given u = M_{j+1}···M_t·q [D], and changes u to M_j·u.
float delta_weight(const DeltaToken& token, DeltaSizes sizes, float* u);

}  // namespace wf
