#include "textflag.h"

// Each stub is 8 bytes: a call, whose return address tells which stub it was,
// and padding. The tail takes the return address off the stack again, loads the
// function value of the slot into the context register and jumps to its code.
// Only R12, R13 and DX are changed: all others may hold arguments
// (ABIInternal).

#define S1 CALL stubTail<>(SB); BYTE $0x90; BYTE $0x90; BYTE $0x90
#define S8 S1; S1; S1; S1; S1; S1; S1; S1
#define S64 S8; S8; S8; S8; S8; S8; S8; S8
#define S512 S64; S64; S64; S64; S64; S64; S64; S64
#define S4096 S512; S512; S512; S512; S512; S512; S512; S512
#define S32768 S4096; S4096; S4096; S4096; S4096; S4096; S4096; S4096

TEXT stubs<>(SB), NOSPLIT|NOFRAME, $0-0
	S32768
	RET

TEXT stubTail<>(SB), NOSPLIT|NOFRAME, $0-0
	POPQ R12
	LEAQ stubs<>(SB), R13
	SUBQ R13, R12 // 8*i + 5
	LEAQ ·slots(SB), R13
	MOVQ -5(R13)(R12*1), DX
	MOVQ (DX), R12
	JMP  R12

// func stubBase() unsafe.Pointer
TEXT ·stubBase(SB), NOSPLIT, $0-8
	LEAQ stubs<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET
