package hloconv

// complexRules are the expansions of functions of a complex number z, steps are
// separated by semicolons: a name, what it computes, and of what. "=" makes a constant of the
// type of its operand. They are the formulas that stablehlo generates with the
// functional_algorithms tool (StablehloComplexMathExpanderPatterns.td and
// ChloDecompositionPatternsMath.td), in the order in which its patterns make
// their ops: that order decides the names in the HLO text.
var complexRules = map[string]string{
	"exponential": `
		t1 real z; t2 exponential t1; t3 =inf t1; t4 EQ t2 t3; t5 =0.5 t1; t6 multiply t1 t5
		t7 exponential t6; t8 imag z; t9 cosine t8; t10 multiply t7 t9; t11 multiply t10 t7
		t12 multiply t2 t9; t13 select t4 t11 t12; t14 =0 t1; t15 EQ t8 t14; t16 sine t8; t17 multiply t7 t16
		t18 multiply t17 t7; t19 multiply t2 t16; t20 select t4 t18 t19; t21 select t15 t14 t20
		t22 complex t13 t21`,
	"log": `
		t1 real z; t2 =-1.0 t1; t3 imag z; t4 multiply t3 t3; t5 multiply t1 t1; t6 GT t4 t5
		t7 select t6 t4 t5; t8 add t2 t7; t9 select t6 t5 t4; t10 add t8 t9; t11 negate t4; t12 =largest t1
		t13 =1e+308 t1; t14 GT t12 t13; t15 =134217729 t1; t16 =1e+38 t1; t17 GT t12 t16; t18 =4097 t1
		t19 =65 t1; t20 select t17 t18 t19; t21 select t14 t15 t20; t22 multiply t21 t3; t23 subtract t3 t22
		t24 add t22 t23; t25 multiply t24 t24; t26 add t11 t25; t27 subtract t3 t24; t28 multiply t24 t27
		t29 add t26 t28; t30 add t29 t28; t31 multiply t27 t27; t32 add t30 t31; t33 add t10 t32
		t34 negate t5; t35 multiply t21 t1; t36 subtract t1 t35; t37 add t35 t36; t38 multiply t37 t37
		t39 add t34 t38; t40 subtract t1 t37; t41 multiply t37 t40; t42 add t39 t41; t43 add t42 t41
		t44 multiply t40 t40; t45 add t43 t44; t46 add t33 t45; t47 subtract t8 t2; t48 subtract t7 t47
		t49 subtract t10 t8; t50 subtract t9 t49; t51 add t48 t50; t52 subtract t33 t10; t53 subtract t32 t52
		t54 add t51 t53; t55 subtract t46 t33; t56 subtract t45 t55; t57 add t54 t56; t58 add t46 t57
		t59 abs t58; t60 =0.5 t1; t61 LT t59 t60; t62 log_plus_one t58; t63 multiply t60 t62; t64 abs t1
		t65 abs t3; t66 maximum t64 t65; t67 log t66; t68 minimum t64 t65; t69 EQ t68 t66; t70 =1.0 t1
		t71 divide t68 t66; t72 select t69 t70 t71; t73 multiply t72 t72; t74 log_plus_one t73
		t75 multiply t60 t74; t76 add t67 t75; t77 select t61 t63 t76; t78 atan2 t3 t1; t79 complex t77 t78`,
	"log_plus_one": `
		t1 real z; t2 abs t1; t3 imag z; t4 abs t3; t5 maximum t2 t4; t6 =largest t1; t7 sqrt t6; t8 =0.01 t1
		t9 multiply t7 t8; t10 GT t5 t9; t11 log t5; t12 =0.5 t1; t13 minimum t2 t4; t14 EQ t13 t5; t15 =1 t1
		t16 divide t13 t5; t17 multiply t16 t16; t18 select t14 t15 t17; t19 log_plus_one t18
		t20 multiply t12 t19; t21 add t11 t20; t22 add t1 t15; t23 abs t22; t24 add t23 t4; t25 =0.2 t1
		t26 LT t24 t25; t27 multiply t22 t22; t28 multiply t3 t3; t29 add t27 t28; t30 log t29
		t31 multiply t12 t30; t32 add t1 t1; t33 add t32 t28; t34 multiply t1 t1; t35 add t33 t34
		t36 negate t28; t37 =1e+308 t1; t38 GT t6 t37; t39 =134217729 t1; t40 =1e+38 t1; t41 GT t6 t40
		t42 =4097 t1; t43 =65 t1; t44 select t41 t42 t43; t45 select t38 t39 t44; t46 multiply t45 t3
		t47 subtract t3 t46; t48 add t46 t47; t49 multiply t48 t48; t50 add t36 t49; t51 subtract t3 t48
		t52 multiply t48 t51; t53 add t50 t52; t54 add t53 t52; t55 multiply t51 t51; t56 add t54 t55
		t57 add t35 t56; t58 negate t34; t59 multiply t45 t1; t60 subtract t1 t59; t61 add t59 t60
		t62 multiply t61 t61; t63 add t58 t62; t64 subtract t1 t61; t65 multiply t61 t64; t66 add t63 t65
		t67 add t66 t65; t68 multiply t64 t64; t69 add t67 t68; t70 add t57 t69; t71 subtract t33 t32
		t72 subtract t33 t71; t73 subtract t32 t72; t74 subtract t28 t71; t75 add t73 t74
		t76 subtract t35 t33; t77 subtract t35 t76; t78 subtract t33 t77; t79 subtract t34 t76
		t80 add t78 t79; t81 add t75 t80; t82 subtract t57 t35; t83 subtract t57 t82; t84 subtract t35 t83
		t85 subtract t56 t82; t86 add t84 t85; t87 add t81 t86; t88 subtract t70 t57; t89 subtract t70 t88
		t90 subtract t57 t89; t91 subtract t69 t88; t92 add t90 t91; t93 add t87 t92; t94 add t70 t93
		t95 log_plus_one t94; t96 multiply t12 t95; t97 select t26 t31 t96; t98 select t10 t21 t97
		t99 atan2 t3 t22; t100 complex t98 t99`,
	"sqrt": `
		t1 real z; t2 =0 t1; t3 GE t1 t2; t4 abs t1; t5 imag z; t6 abs t5; t7 EQ t4 t6; t8 sqrt t4
		t9 =1.5537739740300374 t1; t10 multiply t8 t9; t11 =1.4142135623730951 t1; t12 divide t10 t11
		t13 maximum t4 t6; t14 minimum t4 t6; t15 EQ t13 t14; t16 multiply t11 t13; t17 =1 t1
		t18 divide t14 t13; t19 multiply t18 t18; t20 add t17 t19; t21 sqrt t20; t22 EQ t21 t17; t23 GT t19 t2
		t24 and t22 t23; t25 multiply t13 t19; t26 =2 t1; t27 divide t25 t26; t28 add t13 t27
		t29 multiply t13 t21; t30 select t24 t28 t29; t31 select t15 t16 t30; t32 divide t31 t26
		t33 divide t4 t26; t34 add t32 t33; t35 sqrt t34; t36 EQ t35 t2; t37 =inf t1; t38 EQ t35 t37
		t39 or t36 t38; t40 GT t4 t6; t41 LT t4 t6; t42 divide t4 t6; t43 divide t6 t4; t44 select t41 t42 t43
		t45 select t7 t17 t44; t46 abs t45; t47 maximum t17 t46; t48 minimum t17 t46; t49 EQ t47 t48
		t50 multiply t11 t47; t51 divide t48 t47; t52 multiply t51 t51; t53 add t17 t52; t54 sqrt t53
		t55 EQ t54 t17; t56 GT t52 t2; t57 and t55 t56; t58 multiply t47 t52; t59 divide t58 t26
		t60 add t47 t59; t61 multiply t47 t54; t62 select t57 t60 t61; t63 select t49 t50 t62; t64 add t17 t63
		t65 sqrt t64; t66 divide t65 t11; t67 multiply t8 t66; t68 sqrt t6; t69 add t45 t63; t70 sqrt t69
		t71 divide t70 t11; t72 multiply t68 t71; t73 select t40 t67 t72; t74 select t39 t73 t35
		t75 select t7 t12 t74; t76 =2.19736822693562 t1; t77 divide t68 t76; t78 divide t8 t68
		t79 divide t68 t8; t80 select t41 t78 t79; t81 select t7 t17 t80; t82 multiply t68 t81
		t83 multiply t65 t11; t84 divide t82 t83; t85 multiply t70 t11; t86 divide t68 t85
		t87 select t40 t84 t86; t88 multiply t35 t26; t89 divide t6 t88; t90 select t39 t87 t89
		t91 select t7 t77 t90; t92 select t3 t75 t91; t93 LT t1 t2; t94 LT t5 t2; t95 negate t75
		t96 select t94 t95 t75; t97 negate t91; t98 select t94 t97 t91; t99 select t93 t96 t98
		t100 complex t92 t99`,
	"square": `
		t1 real z; t2 is_finite t1; t3 abs t1; t4 imag z; t5 abs t4; t6 EQ t3 t5; t7 and t2 t6; t8 =0 t1
		t9 subtract t1 t4; t10 add t1 t4; t11 multiply t9 t10; t12 select t7 t8 t11; t13 =2 t1
		t14 multiply t1 t4; t15 multiply t13 t14; t16 complex t12 t15`,
	"asin_acos_kernel": `
		t1 real z; t2 abs t1; t3 imag z; t4 abs t3; t5 maximum t2 t4; t6 =largest t1; t7 sqrt t6; t8 =8 t1
		t9 divide t7 t8; t10 GE t5 t9; t11 =1 t1; t12 LE t2 t11; t13 =0.5 t1; t14 add t2 t11; t15 abs t14
		t16 maximum t15 t4; t17 minimum t15 t4; t18 EQ t16 t17; t19 =1.4142135623730951 t1
		t20 multiply t19 t16; t21 divide t17 t16; t22 multiply t21 t21; t23 add t11 t22; t24 sqrt t23
		t25 EQ t24 t11; t26 =0 t1; t27 GT t22 t26; t28 and t25 t27; t29 multiply t16 t22; t30 =2 t1
		t31 divide t29 t30; t32 add t16 t31; t33 multiply t16 t24; t34 select t28 t32 t33
		t35 select t18 t20 t34; t36 subtract t2 t11; t37 abs t36; t38 maximum t37 t4; t39 minimum t37 t4
		t40 EQ t38 t39; t41 multiply t19 t38; t42 divide t39 t38; t43 multiply t42 t42; t44 add t11 t43
		t45 sqrt t44; t46 EQ t45 t11; t47 GT t43 t26; t48 and t46 t47; t49 multiply t38 t43
		t50 divide t49 t30; t51 add t38 t50; t52 multiply t38 t45; t53 select t48 t51 t52
		t54 select t40 t41 t53; t55 add t35 t54; t56 multiply t13 t55; t57 add t56 t2; t58 multiply t13 t57
		t59 multiply t4 t4; t60 add t35 t14; t61 divide t59 t60; t62 subtract t54 t36; t63 add t61 t62
		t64 multiply t58 t63; t65 sqrt t64; t66 divide t58 t60; t67 add t54 t36; t68 divide t58 t67
		t69 add t66 t68; t70 sqrt t69; t71 multiply t4 t70; t72 select t12 t65 t71; t73 select t10 t4 t72
		t74 =1000000000000.0 t1; t75 multiply t9 t74; t76 LT t2 t75; t77 =1e-06 t1; t78 multiply t9 t77
		t79 =100.0 t1; t80 multiply t9 t79; t81 select t76 t78 t80; t82 GE t4 t81; t83 select t82 t4 t2
		t84 select t82 t81 t9; t85 GE t83 t84; t86 log t30; t87 log t83; t88 add t86 t87; t89 =inf t3
		t90 EQ t4 t89; t91 not t90; t92 and t82 t91; t93 divide t2 t4; t94 select t92 t93 t26
		t95 multiply t94 t94; t96 log_plus_one t95; t97 multiply t13 t96; t98 add t88 t97; t99 =normal t1
		t100 sqrt t99; t101 =4 t1; t102 multiply t100 t101; t103 LT t4 t102; t104 LT t2 t11
		t105 and t103 t104; t106 multiply t14 t36; t107 add t56 t11; t108 divide t106 t107; t109 negate t108
		t110 GE t2 t11; t111 multiply t13 t59; t112 divide t111 t60; t113 multiply t13 t67; t114 add t112 t113
		t115 =1.5 t1; t116 LE t56 t115; t117 divide t111 t62; t118 add t112 t117; t119 subtract t56 t11
		t120 select t116 t118 t119; t121 select t110 t114 t120; t122 select t105 t109 t121
		t123 multiply t122 t107; t124 sqrt t123; t125 divide t4 t124; t126 add t122 t124
		t127 log_plus_one t126; t128 select t105 t125 t127; t129 select t85 t98 t128; t130 complex t73 t129`,
	"asin": `
		t1 real z; t2 asin_acos_kernel z; t3 real t2; t4 atan2 t1 t3; t5 imag z; t6 =0 t1; t7 LT t5 t6
		t8 imag t2; t9 negate t8; t10 select t7 t9 t8; t11 complex t4 t10`,
	"acos": `
		t1 asin_acos_kernel z; t2 real t1; t3 real z; t4 atan2 t2 t3; t5 imag z; t6 =0 t5; t7 LT t5 t6
		t8 imag t1; t9 negate t8; t10 select t7 t8 t9; t11 complex t4 t10`,
	"acosh": `
		t1 asin_acos_kernel z; t2 imag t1; t3 imag z; t4 =0 t3; t5 LT t3 t4; t6 real t1; t7 real z
		t8 atan2 t6 t7; t9 negate t8; t10 select t5 t9 t8; t11 complex t2 t10`,
	"asinh": `
		t1 real z; t2 =0 t1; t3 LT t1 t2; t4 imag z; t5 negate t4; t6 complex t5 t1; t7 asin_acos_kernel t6
		t8 imag t7; t9 negate t8; t10 select t3 t9 t8; t11 real t7; t12 atan2 t4 t11; t13 complex t10 t12`,
	"atan": `
		t1 imag z; t2 negate t1; t3 real z; t4 complex t2 t3; t5 atanh t4; t6 imag t5; t7 real t5
		t8 negate t7; t9 complex t6 t8`,
	"atanh": `
		t1 real z; t2 =0 t1; t3 GE t1 t2; t4 =1 t1; t5 =-1 t1; t6 select t3 t4 t5; t7 =4 t1; t8 abs t1
		t9 =largest t1; t10 =1e+308 t1; t11 GT t9 t10; t12 =9007199254740994.0 t1; t13 =1e+38 t1
		t14 GT t9 t13; t15 =16777218.0 t1; t16 =2050.0 t1; t17 select t14 t15 t16; t18 select t11 t12 t17
		t19 multiply t18 t18; t20 LT t8 t19; t21 imag z; t22 abs t21; t23 LT t22 t19; t24 and t20 t23
		t25 subtract t4 t8; t26 multiply t25 t25; t27 multiply t21 t21; t28 add t26 t27; t29 divide t8 t28
		t30 multiply t22 t18; t31 LT t30 t8; t32 divide t4 t8; t33 =inf t1; t34 EQ t1 t33; t35 =-inf t1
		t36 EQ t1 t35; t37 or t34 t36; t38 EQ t21 t33; t39 EQ t21 t35; t40 or t38 t39; t41 or t37 t40
		t42 divide t8 t21; t43 divide t21 t8; t44 add t42 t43; t45 divide t4 t44; t46 divide t45 t21
		t47 select t41 t2 t46; t48 select t31 t32 t47; t49 select t24 t29 t48; t50 multiply t7 t49
		t51 log_plus_one t50; t52 multiply t6 t51; t53 =0.25 t1; t54 multiply t52 t53; t55 add t21 t21
		t56 add t4 t8; t57 multiply t25 t56; t58 subtract t57 t27; t59 atan2 t55 t58; t60 =0 t21
		t61 GE t21 t60; t62 select t61 t4 t5; t63 =3.141592653589793 t1; t64 multiply t62 t63
		t65 select t24 t59 t64; t66 =0.5 t1; t67 multiply t65 t66; t68 complex t54 t67`,
}
