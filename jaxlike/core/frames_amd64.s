//go:build !purego

#include "textflag.h"

// func returnAddresses(pcs *[256]uintptr) (n int, whole bool)
//
// Follows the saved frame pointers, which Go keeps on amd64, from the caller's
// frame to the goroutine's first, whose saved one is 0. The first word of the
// runtime's g is the stack's lower end and the second its upper one: a pointer
// that leads elsewhere, to a C stack say, ends the walk.
TEXT ·returnAddresses(SB), NOSPLIT|NOFRAME, $0-17
	MOVQ pcs+0(FP), DI
	MOVQ (TLS), R8
	MOVQ 0(R8), R9
	MOVQ 8(R8), R10
	SUBQ $16, R10
	MOVQ BP, SI
	XORQ CX, CX
	MOVB $0, whole+16(FP)

next:
	TESTQ SI, SI
	JEQ   end
	CMPQ  SI, R9
	JCS   out
	CMPQ  SI, R10
	JHI   out
	MOVQ  8(SI), AX
	MOVQ  AX, (DI)(CX*8)
	MOVQ  0(SI), SI
	INCQ  CX
	CMPQ  CX, $256
	JNE   next
	JMP   out

end:
	MOVB $1, whole+16(FP)

out:
	MOVQ CX, n+8(FP)
	RET
