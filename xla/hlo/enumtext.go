package hlo

import "strconv"

// enumName returns names[n], or prefix and the number for one that is not listed.
func enumName[T ~int32](names []string, n T, prefix string) string {
	if n >= 0 && int(n) < len(names) {
		return names[n]
	}
	return prefix + strconv.Itoa(int(n))
}

func enumByName[T ~int32](names []string, s string) (T, bool) {
	for i, n := range names {
		if n == s {
			return T(i), true
		}
	}
	return 0, false
}

var (
	precisionNames    = []string{"default", "high", "highest"}
	distributionNames = []string{"rng_invalid", "rng_uniform", "rng_normal"}
	rngNames          = []string{"rng_default", "rng_three_fry", "rng_philox"}
	fftNames          = []string{"FFT", "IFFT", "RFFT", "IRFFT"}
	transposeNames    = []string{"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}
	scheduleNames     = []string{"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"}
	paddingNames      = []string{"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"}
	apiVersionNames   = []string{
		"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
		"API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI",
	}
	dotAlgorithmNames = []string{
		"unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32",
		"dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6", "dot_tf32_tf32_f32",
		"dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64", "dot_bf16_bf16_f32_x9", "dot_bf16_bf16_fp8x3", "dot_bf16_bf16_fp8x4",
	}
)

// String gives "default", "high" or "highest".
func (p Precision) String() string { return enumName(precisionNames, p, "precision_") }

// String gives "dot_f32_f32_f32" and the like.
func (a DotAlgorithm) String() string { return enumName(dotAlgorithmNames, a, "algorithm_") }

// DotAlgorithmByName finds an algorithm by its text, "dot_f32_f32_f32".
func DotAlgorithmByName(s string) (DotAlgorithm, bool) {
	return enumByName[DotAlgorithm](dotAlgorithmNames, s)
}

// String gives "rng_uniform" or "rng_normal".
func (d RandomDistribution) String() string { return enumName(distributionNames, d, "distribution_") }

// String gives "rng_default", "rng_three_fry" or "rng_philox".
func (a RandomAlgorithm) String() string { return enumName(rngNames, a, "algorithm_") }

// String gives "FFT", "IFFT", "RFFT" or "IRFFT".
func (t FFTType) String() string { return enumName(fftNames, t, "FFT_TYPE_") }

// String gives "NO_TRANSPOSE", "TRANSPOSE" or "ADJOINT".
func (t Transpose) String() string { return enumName(transposeNames, t, "TRANSPOSE_") }

// String gives "SCHEDULE_LATEST" and the like.
func (s CustomCallSchedule) String() string { return enumName(scheduleNames, s, "SCHEDULE_") }

// String gives "API_VERSION_TYPED_FFI" and the like.
func (v CustomCallAPIVersion) String() string { return enumName(apiVersionNames, v, "API_VERSION_") }

// String gives "PADDING_VALID" or "PADDING_SAME".
func (t PaddingType) String() string { return enumName(paddingNames, t, "PADDING_") }
