"""Drives the echo kernel with jupyter_client, as a user's own script would.

Prints one line per check; exits 1 at the first that fails.
"""
import sys
import time

from jupyter_client import KernelManager

TIMEOUT = 30


def run(kc, code, **kw):
    """Runs a cell and returns reply content and outputs, idle included."""
    outputs = []
    reply = kc.execute_interactive(
        code, timeout=TIMEOUT, output_hook=lambda m: outputs.append((m["msg_type"], m["content"])), **kw
    )
    return reply["content"], [o for o in outputs if o[0] not in ("status", "execute_input")]


def check(name, ok, detail=""):
    print(("ok   " if ok else "FAIL ") + name, detail if not ok else "", flush=True)
    if not ok:
        sys.exit(1)


def main():
    km = KernelManager(kernel_name="echo", transport=sys.argv[1])
    if len(sys.argv) > 2:
        km.transport_encryption = sys.argv[2]
    began = time.time()
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    try:
        kc.wait_for_ready(timeout=TIMEOUT)
        check("ready", True)
        check("encryption", bool(km.curve_secretkey) == (len(sys.argv) > 2))
        print("start to ready %.0f ms" % ((time.time() - began) * 1e3))
        info = kc.kernel_info(reply=True, timeout=TIMEOUT)["content"]
        check("kernel_info", info["protocol_version"] == "5.5" and info["status"] == "ok", info)

        reply, outs = run(kc, "print a\ndisplay b\nprint c\neprint d\nvalue e")
        kinds = [(k, c.get("text") or c["data"]["text/plain"]) for k, c in outs]
        check("outputs in order", kinds == [
            ("stream", "a\n"), ("display_data", "b"), ("stream", "c\n"), ("stream", "d\n"), ("execute_result", "e"),
        ], kinds)
        reply, outs = run(kc, "error bad")
        check("error", reply["status"] == "error" and outs[-1][1]["evalue"] == "bad", (reply, outs))

        for n in range(50):
            _, outs = run(kc, "print %d" % n)
            check("cell", outs == [("stream", {"name": "stdout", "text": "%d\n" % n})], outs) if n == 49 else None

        msgs = [kc.execute("sleep 1s\nerror stop"), kc.execute("print no"), kc.execute("print no")]
        states = {}
        while len(states) < 3:
            m = kc.get_shell_msg(timeout=TIMEOUT)
            states[m["parent_header"]["msg_id"]] = m["content"]["status"]
        check("abort queue", [states[m] for m in msgs] == ["error", "aborted", "aborted"], states)

        reply, outs = run(kc, "input who", allow_stdin=True, stdin_hook=lambda m: kc.input("me"))
        check("stdin", outs == [("stream", {"name": "stdout", "text": "got me\n"})], outs)

        kc.execute("sleep 1m")
        time.sleep(0.2)
        began = time.time()
        km.interrupt_kernel()
        while True:
            m = kc.get_shell_msg(timeout=TIMEOUT)
            if m["msg_type"] == "execute_reply":
                break
        check("interrupt", m["content"]["ename"] == "KeyboardInterrupt" and time.time() - began < 1, m["content"])

        reply, outs = run(kc, "signal 9")
        check("kill -9", reply["ename"] == "WorkerDied" and outs[-1][0] == "error", (reply, outs))
        reply, outs = run(kc, "value alive")
        check("next cell", outs == [("execute_result", outs[-1][1])] and reply["status"] == "ok", (reply, outs))
        check("heartbeat", kc.hb_channel.is_beating())

        reply = kc.complete("pri", reply=True, timeout=TIMEOUT)["content"]
        check("complete", reply["matches"] == ["print"], reply)
        kc.is_complete("a\\")
        reply = kc.get_shell_msg(timeout=TIMEOUT)["content"]
        check("is_complete", reply["status"] == "incomplete", reply)
        reply = kc.history(hist_access_type="tail", n=2, reply=True, timeout=TIMEOUT)["content"]
        check("history", [h[2] for h in reply["history"]] == ["signal 9", "value alive"], reply)

        km.restart_kernel(now=False)
        kc.wait_for_ready(timeout=TIMEOUT)
        reply, outs = run(kc, "value again")
        check("restart", reply["execution_count"] == 1, reply)
    finally:
        kc.stop_channels()
        km.shutdown_kernel(now=False)
    check("shutdown", not km.has_kernel or not km.is_alive())


main()
