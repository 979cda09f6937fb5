module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<4x4xcomplex<f32>>, %arg3: tensor<i32>, %arg4: tensor<i1>, %arg5: tensor<f32>, %arg6: tensor<4xf32>, %arg7: tensor<4xi1>, %arg8: !stablehlo.token, %arg9: tensor<2xui64>) -> (tensor<4x4xf32> {jax.result_info = "result"}) attributes {foo.bar = 3 : i32} {
    %0 = stablehlo.cholesky %arg0, lower = true : tensor<4x4xf32>
    %1 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<4x4xf32>, tensor<4x2xf32>>
    %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<4x4xf32>, tensor<4x2xf32>>) -> tensor<4x2xf32>
    %4 = stablehlo.optimization_barrier %arg0 : tensor<4x4xf32>
    %5:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<4x4xf32>, tensor<4x2xf32>
    %6 = stablehlo.abs %arg2 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %7 = stablehlo.select %arg7, %arg6, %arg6 : tensor<4xi1>, tensor<4xf32>
    %8 = stablehlo.clamp %arg5, %arg6, %arg5 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %9:2 = "stablehlo.if"(%arg4) ({
      stablehlo.return %arg0, %arg6 : tensor<4x4xf32>, tensor<4xf32>
    }, {
      stablehlo.return %arg0, %arg6 : tensor<4x4xf32>, tensor<4xf32>
    }) : (tensor<i1>) -> (tensor<4x4xf32>, tensor<4xf32>)
    %10 = stablehlo.custom_call @foo.bar(%arg0) {api_version = 2 : i32, backend_config = "x\22y", has_side_effect = true} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.custom_call @bar(%arg0) : (tensor<4x4xf32>) -> ()
    %11 = stablehlo.after_all %arg8, %arg8 : !stablehlo.token
    %12 = stablehlo.create_token : !stablehlo.token
    %output_state, %output = stablehlo.rng_bit_generator %arg9, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %13 = stablehlo.reduce_precision %arg6, format = e8m7 : tensor<4xf32>
    %14 = stablehlo.compare EQ, %arg6, %arg6, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %15 = stablehlo.exponential %arg6 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
    %16 = stablehlo.convert %arg6 : (tensor<4xf32>) -> tensor<4xf16>
    %17 = stablehlo.replica_id : tensor<ui32>
    %18 = "stablehlo.map"(%arg6, %arg6) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %30 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %30 : tensor<f32>
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %19 = stablehlo.slice %arg6 [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    %20 = stablehlo.reduce(%arg6 init: %arg5) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%arg10: tensor<f32>, %arg11: tensor<f32>)  {
      %30 = stablehlo.add %arg11, %arg10 : tensor<f32>
      stablehlo.return %30 : tensor<f32>
    }
    %21 = stablehlo.reduce(%arg6 init: %arg5) across dimensions = [0] {mhlo.frontend_attributes = {a = "b"}} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%arg10: tensor<f32>, %arg11: tensor<f32>)  {
      %30 = stablehlo.subtract %arg10, %arg11 : tensor<f32>
      stablehlo.return %30 : tensor<f32>
    }
    %22 = stablehlo.reduce(%arg6 init: %arg5) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %23 = stablehlo.while(%iterArg = %arg3) : tensor<i32> attributes {mhlo.frontend_attributes = {k = "v"}}
    cond {
      stablehlo.return %arg4 : tensor<i1>
    } do {
      stablehlo.return %iterArg : tensor<i32>
    }
    %24 = "stablehlo.collective_permute"(%arg6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %25 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %26 = stablehlo.dot_general %arg6, %arg6, contracting_dims = [] x [], precision = [HIGH, HIGH] {mhlo.frontend_attributes = {k = "v"}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    %27 = chlo.mulhi %arg9, %arg9 : tensor<2xui64>, tensor<2xui64> -> tensor<2xui64>
    %28 = chlo.polygamma %arg6, %arg6 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %29 = chlo.conj %arg2 : tensor<4x4xcomplex<f32>> -> tensor<4x4xcomplex<f32>>
    %cst = stablehlo.constant dense<[1.000000e-01, -0.000000e+00, 1.000000e+30, 3.000000e+00]> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,-2.500000e+00)> : tensor<complex<f64>>
    %c = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
    %c_1 = stablehlo.constant dense<-128> : tensor<3xi8>
    %c_2 = stablehlo.constant dense<255> : tensor<3xui8>
    %cst_3 = stablehlo.constant dense<> : tensor<0x3xf32>
    %cst_4 = stablehlo.constant dense<0xFFC00000> : tensor<f32>
    %cst_5 = stablehlo.constant dense<[9.9999999999999992E-41, 0x4170000010000000]> : tensor<2xf64>
    return %0 : tensor<4x4xf32>
  }
}
