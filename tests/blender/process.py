"""Runs Blender as a separate process."""
import json, os, shutil, subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


def is_there():
    return shutil.which("blender") is not None


def run(script, told, folder, **environment):
    """Returns the results of `script` for the jobs in `told` (None if Blender failed) and the end of the output. Jobs are passed in a file."""
    jobs, results = folder / f"{script}.jobs.json", folder / f"{script}.results.json"
    jobs.write_text(json.dumps({**told, "results": str(results)}))
    # PATH finds the system's Python, which has numpy.
    done = subprocess.run([shutil.which("blender"), "-b", "--factory-startup", "--python-exit-code", "1", "--python", HERE / script, "--", jobs],
                          capture_output=True, text=True, timeout=1200, env={**os.environ, "PATH": "/usr/bin:/bin", **environment})
    return json.loads(results.read_text()) if results.exists() else None, done.stdout[-3000:] + done.stderr[-3000:]
