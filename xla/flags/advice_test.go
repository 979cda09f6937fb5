package flags

import "testing"

func TestAdvice(t *testing.T) {
	table := []Flag{
		{Name: "xla_cpu_enable_fast_math", Type: "bool", Option: true},
		{Name: "xla_dump_max_hlo_modules", Type: "int32", Option: true},
		{Name: "xla_fuel", Type: "string"},
		{Name: "xla_ratio", Type: "float", Option: true},
		{Name: "xla_mark", Type: "enum", Enum: []string{"A", "B"}, Option: true},
		{Name: "xla_list", Type: "enum", Enum: []string{"C", "D"}, Repeated: true, Option: true},
		{Name: "xla_passes", Type: "string", Repeated: true, Option: true},
	}
	for message, want := range map[string]string{
		"INVALID_ARGUMENT: No such compile option: 'xla_cpu_enable_fastmath'":                             "did you mean xla_cpu_enable_fast_math?",
		"No such compile option: '--XLA-CPU-ENABLE-FAST-MATH'":                                            "did you mean xla_cpu_enable_fast_math?",
		"No such compile option: 'cpu_enable_fast_math'":                                                  "did you mean xla_cpu_enable_fast_math?",
		"No such compile option: 'not_a_real_flag'":                                                       "`gopherlo flags REGEX` lists the options",
		"No such compile option: 'xla_fuel'":                                                              "`gopherlo flags REGEX` lists the options",
		"No such compile option: ''":                                                                      "`gopherlo flags REGEX` lists the options",
		"Unknown flag in XLA_FLAGS: --xla_cpu_enable_fastmath=1":                                          "did you mean xla_cpu_enable_fast_math?",
		"Unknown flags in XLA_FLAGS: --xla_fuell --zz":                                                    "did you mean xla_fuel?",
		"While setting option xla_cpu_enable_fast_math, 'banana' is not a valid bool value.":              `xla_cpu_enable_fast_math takes true or false (as a string "True" or "False")`,
		"INVALID_ARGUMENT: While setting option xla_ratio, '1' is not a valid float value.":               "xla_ratio takes a float, such as 0.5 or 1.0 (not the integer 1)",
		"While setting option xla_mark, 'a\nb' is not a valid enum value.":                                "xla_mark takes one of A, B",
		"While setting option xla_list, 'x' is not a valid enum value.":                                   "xla_list takes names with commas between them: C, D",
		"While setting option xla_passes, '1' is not a valid string value.":                               "xla_passes takes names with commas between them, in one string",
		"Couldn't interpret value many for flag xla_dump_max_hlo_modules.":                                "xla_dump_max_hlo_modules takes a whole number of 32 bits",
		"Illegal value for --xla_mark 'NOPE'":                                                             "xla_mark takes one of A, B",
		`Could not open file "x=3" to read flags (We assumed "x=3" was a file name because it did not …)`: "flags in XLA_FLAGS begin with --, such as --xla_dump_to=/tmp/dump",
		"RESOURCE_EXHAUSTED: out of memory":                                                               "",
		"Unknown flag in XLA_FLAGS: -xla_ratio=0.5":                                                       "flags begin with two dashes: --xla_ratio",
		"Unknown flag in XLA_FLAGS: --xla_ratio":                                                          "xla_ratio takes a number: --xla_ratio=…",
		"Unknown flag in XLA_FLAGS: ":                                                                     "",
	} {
		if got := Advice(table, message); got != want {
			t.Errorf("%q: advice %q, want %q", message, got, want)
		}
	}
}
