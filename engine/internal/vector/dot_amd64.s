#include "textflag.h"

// func dotWide(a, b *byte, n int) int32
//
// 16 bytes of each become words (VPMOVSXBW), neighbouring products are added up to
// double words (VPMADDWD: at most 2^15, exact), and these to eight sums each in Y0
// and Y1.
TEXT ·dotWide(SB), NOSPLIT, $0-28
	MOVQ  a+0(FP), SI
	MOVQ  b+8(FP), DI
	MOVQ  n+16(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

more:
	VPMOVSXBW (SI), Y2
	VPMOVSXBW (DI), Y3
	VPMOVSXBW 16(SI), Y4
	VPMOVSXBW 16(DI), Y5
	VPMADDWD  Y2, Y3, Y2
	VPMADDWD  Y4, Y5, Y4
	VPADDD    Y2, Y0, Y0
	VPADDD    Y4, Y1, Y1
	ADDQ      $32, SI
	ADDQ      $32, DI
	SUBQ      $32, CX
	JG        more

	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, AX
	VZEROUPPER
	MOVL         AX, ret+24(FP)
	RET

// func addWide(to *float32, steps *byte, f float32, n int)
//
// Eight bytes become double words, floats, products and sums, each rounded by itself.
TEXT ·addWide(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), DI
	MOVQ         steps+8(FP), SI
	VBROADCASTSS f+16(FP), Y0
	MOVQ         n+24(FP), CX

more:
	VPMOVSXBD (SI), Y1
	VCVTDQ2PS Y1, Y1
	VMULPS    Y0, Y1, Y1
	VADDPS    (DI), Y1, Y1
	VMOVUPS   Y1, (DI)
	ADDQ      $8, SI
	ADDQ      $32, DI
	SUBQ      $8, CX
	JG        more

	VZEROUPPER
	RET
