#include "textflag.h"

// As stubs_amd64.s: each stub is 8 bytes, the link register is kept in R26, the
// context register, until the tail has found the slot. Only R16, R17 and R26
// are changed.

#define S1 MOVD R30, R26; BL stubTail<>(SB)
#define S8 S1; S1; S1; S1; S1; S1; S1; S1
#define S64 S8; S8; S8; S8; S8; S8; S8; S8
#define S512 S64; S64; S64; S64; S64; S64; S64; S64
#define S4096 S512; S512; S512; S512; S512; S512; S512; S512
#define S32768 S4096; S4096; S4096; S4096; S4096; S4096; S4096; S4096

TEXT stubs<>(SB), NOSPLIT|NOFRAME, $0-0
	S32768
	RET

TEXT stubTail<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVD $stubs<>(SB), R16
	SUB  R16, R30, R16 // 8*i + 8
	SUB  $8, R16, R16
	MOVD R26, R30
	MOVD $·slots(SB), R17
	MOVD (R17)(R16), R26
	MOVD (R26), R16
	JMP  (R16)

// func stubBase() unsafe.Pointer
TEXT ·stubBase(SB), NOSPLIT, $0-8
	MOVD $stubs<>(SB), R0
	MOVD R0, ret+0(FP)
	RET
