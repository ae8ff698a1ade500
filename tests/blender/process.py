"""Blender as a process of its own."""
import json, os, shutil, subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


def is_there():
    return shutil.which("blender") is not None


def run(script, told, folder, **environment):
    """What `script` says of the jobs in `told`, or nothing, and what Blender printed. The jobs are in a file: they are too many for a command line."""
    jobs, results = folder / f"{script}.jobs.json", folder / f"{script}.results.json"
    jobs.write_text(json.dumps({**told, "results": str(results)}))
    # With the system's Python, which has numpy.
    done = subprocess.run([shutil.which("blender"), "-b", "--factory-startup", "--python-exit-code", "1", "--python", HERE / script, "--", jobs],
                          capture_output=True, text=True, timeout=1200, env={**os.environ, "PATH": "/usr/bin:/bin", **environment})
    return json.loads(results.read_text()) if results.exists() else None, done.stdout[-3000:] + done.stderr[-3000:]
