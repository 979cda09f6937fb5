package goldencases

// otherXLA lists the optimised programs that the default plugin's XLA writes in
// another way than JAX 0.12.0.1's.
var otherXLA = map[string]bool{}
