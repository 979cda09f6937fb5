"""Benchmarks of bench_test.go against JAX 0.12.0.1, in one run.

    go test -c -o /tmp/bench.test ./jaxlike
    python jaxlike/testdata/bench.py /tmp/bench.test

Rounds of Go and JAX alternate; the least time of each counts, since other
work on the machine only adds to it. Times are processor time, with that of the
runtime's own threads (garbage collection included); of calls the clock's too,
since a thread that sleeps for a result takes no processor time.
"""
import os
import re
import subprocess
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.xla_metadata import xla_metadata_call

x = np.float32(0.5)
CLOCK = " (clock)"


def wave():
  return lambda x: jnp.sin(x) * x


def block():
  return xla_metadata_call(wave(), k="v")


def chain(n):
  def make():
    def f(x):
      for _ in range(n // 2):
        x = jnp.sin(x) + 1.
      return x
    return jax.jit(f).lower(x)
  return make


def mlp(depth, width):
  params = [(jnp.ones((width, width)), jnp.ones(width)) for _ in range(depth)]
  inp = jnp.ones((8, width))

  def make():
    def loss(params, x):
      for w, b in params:
        x = jnp.tanh(jnp.dot(x, w) + b)
      return jnp.mean(x * x)
    return jax.jit(jax.value_and_grad(loss)).lower(params, inp)
  return make


PROGRAMS = {
    "wave": lambda: jax.jit(wave()).lower(x),
    "block": lambda: jax.jit(block()).lower(x),
    "grad-block": lambda: jax.jit(jax.grad(block())).lower(x),
    "grad-grad-block": lambda: jax.jit(jax.grad(jax.grad(block()))).lower(x),
    "mlp12-grad": mlp(12, 16),
    "chain-100": chain(100), "chain-1000": chain(1000), "chain-10000": chain(10000),
}


def best(f, prepare=lambda: None, budget=.4, least=2):
  out, start, n = 1e9, time.perf_counter(), 0
  while n < least or time.perf_counter() - start < budget:
    arg = prepare()
    t = time.process_time()
    f(arg)
    out = min(out, time.process_time() - t)
    n += 1
  return out


def loop(f, n):
  """The least time of rounds of n calls, by the processor's time and by the clock."""
  f()
  cpu = clock = 1e9
  start = time.perf_counter()
  while time.perf_counter() - start < .5:
    t, c = time.perf_counter(), time.process_time()
    for _ in range(n):
      f()
    clock, cpu = min(clock, time.perf_counter() - t), min(cpu, time.process_time() - c)
  return cpu / n, clock / n


def ours(binary):
  env = dict(os.environ, GOMAXPROCS="2")
  got = subprocess.run(
      [binary, "-test.run", "^$", "-test.bench", "TraceLower|HLOText|WarmCall|Eager", "-test.benchtime", "0.3s"],
      env=env, capture_output=True, text=True, check=True, cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
  out = {}
  for m in re.finditer(r"Benchmark(\S+?)(?:-\d+)?\s+\d+\s+[\d.]+ ns/op(?:\s+([\d.e+]+) best-ns/op)?\s+([\d.e+]+) cpu-ns/op", got.stdout):
    out[m[1]] = float(m[3]) / 1e9
    if m[2]:
      out[m[1] + CLOCK] = float(m[2]) / 1e9
  return out


def theirs():
  out = {}
  for name, make in PROGRAMS.items():
    out["TraceLower/" + name] = best(lambda _: make())
    out["HLOText/" + name] = best(lambda l: l.as_text("hlo"), make)
  f, one = jax.jit(jnp.sin), jnp.ones(1)
  for form in "Dropped", "Deleted":
    both(out, "WarmCall/" + form, loop(lambda: f(one).block_until_ready(), 3000))
  v, scalar = jnp.arange(1000.), jnp.float32(1)
  for name, op in {
      "add": lambda: v + v, "sin": lambda: jnp.sin(v), "sum": lambda: jnp.sum(v), "add-number": lambda: v + 1.,
      "add-scalars": lambda: scalar + scalar, "index": lambda: v[3], "slice": lambda: v[2:10], "set": lambda: v.at[3].set(1.),
  }.items():
    both(out, "Eager/" + name, loop(lambda: op().block_until_ready(), 100))
  both(out, "Eager/sum-to-host", loop(lambda: float(jnp.sum(v)), 100))
  return out


def both(out, name, times):
  out[name], out[name + CLOCK] = times


def main(binary, rounds=3):
  go, py = {}, {}
  for _ in range(rounds):
    for into, run in ((go, lambda: ours(binary)), (py, theirs)):
      for name, t in run().items():
        into[name] = min(t, into.get(name, 1e9))
  print(f"{'':32}{'Go':>12}{'JAX':>12}{'ratio':>8}")
  for name, t in py.items():
    print(f"{name:32}{go[name] * 1e6:10.1f}us{t * 1e6:10.1f}us{go[name] / t:8.3f}")


main(sys.argv[1])
