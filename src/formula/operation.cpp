#include "formula/operation.h"

#include <algorithm>
#include <cmath>

namespace wf::formula {
namespace {

constexpr Function kFunctions[] = {
    {"abs", Operation::kAbs, 1, 1},         {"min", Operation::kMin, 2, 2},
    {"max", Operation::kMax, 2, 2},         {"clip", Operation::kClip, 3, 3},
    {"floor", Operation::kFloor, 1, 1},     {"ceil", Operation::kCeil, 1, 1},
    {"round", Operation::kRound, 1, 1},     {"mod", Operation::kModulo, 2, 2},
    {"exp", Operation::kExp, 1, 1},         {"log", Operation::kLog, 1, 1},
    {"log1p", Operation::kLog1p, 1, 1},     {"sqrt", Operation::kSqrt, 1, 1},
    {"pow", Operation::kPower, 2, 2},       {"sin", Operation::kSin, 1, 1},
    {"cos", Operation::kCos, 1, 1},         {"tanh", Operation::kTanh, 1, 1},
    {"sigmoid", Operation::kSigmoid, 1, 1}, {"softplus", Operation::kSoftplus, 1, 1},
    {"bucket", Operation::kBucket, 3, 4},   {"logbucket", Operation::kLogBucket, 3, 3},
    {"cumsum", Operation::kSum, 1, 1},
};

// Without overflow for any x.
double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

// The added 1e-9 puts distances where a logarithm is a whole number into the bucket that begins
// there, as the exact formula does.
double t5_bucket(double r, double buckets, double max_distance, bool is_two_sided) {
  const double side = is_two_sided ? std::floor(buckets / 2) : buckets;
  const double exact = std::floor(side / 2);
  const double offset = is_two_sided && r > 0 ? side : 0;
  const double distance = is_two_sided ? std::abs(r) : std::max(-r, 0.0);
  if (distance < exact) return offset + distance;
  const double share = std::log(distance / exact) / std::log(max_distance / exact);
  return offset + std::min(side - 1, exact + std::floor(share * (side - exact) + 1e-9));
}

double log_bucket(double r, double buckets, double max_distance) {
  const double middle = std::floor(buckets / 2), size = std::abs(r);
  if (size <= middle) return r;
  const double share = std::log(size / middle) / std::log((max_distance - 1) / middle);
  return std::copysign(std::ceil(share * (middle - 1)) + middle, r);
}

}  // namespace

std::span<const Function> functions() { return kFunctions; }

const char* sign_of(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return "+";
    case Operation::kSubtract:
      return "-";
    case Operation::kMultiply:
      return "*";
    case Operation::kDivide:
      return "/";
    case Operation::kModulo:
      return "%";
    case Operation::kPower:
      return "^";
    default:
      return nullptr;
  }
}

double value_of(Operation operation, const double* x) {
  const double a = x[0], b = x[1];
  switch (operation) {
    case Operation::kNegate:
      return -a;
    case Operation::kNot:
      return a == 0;
    case Operation::kAdd:
      return a + b;
    case Operation::kSubtract:
      return a - b;
    case Operation::kMultiply:
      return a * b;
    case Operation::kDivide:
      return a / b;
    case Operation::kModulo:
      return a - b * std::floor(a / b);
    case Operation::kPower:
      return std::pow(a, b);
    case Operation::kLess:
      return a < b;
    case Operation::kLessEqual:
      return a <= b;
    case Operation::kEqual:
      return a == b;
    case Operation::kUnequal:
      return a != b;
    case Operation::kAnd:
      return a != 0 && b != 0;
    case Operation::kOr:
      return a != 0 || b != 0;
    case Operation::kSelect:
      return a != 0 ? b : x[2];
    case Operation::kAbs:
      return std::abs(a);
    case Operation::kMin:
      return a < b ? a : b;
    case Operation::kMax:
      return a < b ? b : a;
    case Operation::kClip:
      return a < b ? b : a > x[2] ? x[2] : a;
    case Operation::kFloor:
      return std::floor(a);
    case Operation::kCeil:
      return std::ceil(a);
    case Operation::kRound:
      return std::round(a);
    case Operation::kExp:
      return std::exp(a);
    case Operation::kLog:
      return std::log(a);
    case Operation::kLog1p:
      return std::log1p(a);
    case Operation::kSqrt:
      return std::sqrt(a);
    case Operation::kSin:
      return std::sin(a);
    case Operation::kCos:
      return std::cos(a);
    case Operation::kTanh:
      return std::tanh(a);
    case Operation::kSigmoid:
      return sigmoid(a);
    case Operation::kSoftplus:
      return std::max(a, 0.0) + std::log1p(std::exp(-std::abs(a)));
    case Operation::kBucket:
      return t5_bucket(a, b, x[2], x[3] != 0);
    case Operation::kLogBucket:
      return log_bucket(a, b, x[2]);
    default:
      return 0;
  }
}

void derivatives_of(Operation operation, const double* x, double y, double* derivatives) {
  const double a = x[0], b = x[1];
  double *da = derivatives, *db = derivatives + 1;
  switch (operation) {
    case Operation::kNegate:
      *da = -1;
      break;
    case Operation::kAdd:
      *da = *db = 1;
      break;
    case Operation::kSubtract:
      *da = 1, *db = -1;
      break;
    case Operation::kMultiply:
      *da = b, *db = a;
      break;
    case Operation::kDivide:
      *da = 1 / b, *db = -y / b;
      break;
    case Operation::kModulo:
      *da = 1, *db = -std::floor(a / b);
      break;
    case Operation::kPower:
      // The limits where the base is 0: a power above 1 is flat there, and 0^b is 0 for all b > 0.
      *da = b == 0 ? 0 : b * std::pow(a, b - 1);
      *db = a > 0 ? y * std::log(a) : 0;
      break;
    case Operation::kSelect:
      (a != 0 ? derivatives[1] : derivatives[2]) = 1;
      break;
    case Operation::kAbs:
      *da = a < 0 ? -1 : a > 0;
      break;
    case Operation::kMin:
      (a < b ? *da : *db) = 1;
      break;
    case Operation::kMax:
      (a < b ? *db : *da) = 1;
      break;
    case Operation::kClip:
      derivatives[a < b ? 1 : a > x[2] ? 2 : 0] = 1;
      break;
    case Operation::kExp:
      *da = y;
      break;
    case Operation::kLog:
      *da = 1 / a;
      break;
    case Operation::kLog1p:
      *da = 1 / (1 + a);
      break;
    case Operation::kSqrt:
      *da = 0.5 / y;
      break;
    case Operation::kSin:
      *da = std::cos(a);
      break;
    case Operation::kCos:
      *da = -std::sin(a);
      break;
    case Operation::kTanh:
      *da = 1 - y * y;
      break;
    case Operation::kSigmoid:
      *da = y * (1 - y);
      break;
    case Operation::kSoftplus:
      *da = sigmoid(a);
      break;
    default:
      break;
  }
}

}  // namespace wf::formula
