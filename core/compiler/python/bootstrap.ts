/**
 * Exit code of {@link BOOTSTRAP} for an interpreter that cannot run a schema. No other program of this kind ends with
 * it.
 */
export const UNUSABLE = 86

/** Oldest version of Python that the package supports. */
export const OLDEST_PYTHON = '3.10'

/**
 * Program that runs a schema module, as `python -m svc schema.py` does. Its arguments: path of its report, folder with
 * the bundled package, path of the module.
 *
 * - It writes a report before it runs the module: version of Python, and the file of the package.
 * - It imports the package before the folder of the module is searched, so that a file `svc.py` there cannot take its
 *   place.
 * - It uses the bundled package if the environment has none.
 *
 * The syntax is also that of old versions of Python, which have to be able to report that they are old.
 */
export const BOOTSTRAP = `
import json, os, sys
report, bundled, script = sys.argv[1:4]
def write(**facts):
    with open(report, "w") as file:
        json.dump(facts, file)
version = "%d.%d.%d" % tuple(sys.version_info[:3])
if sys.version_info < (${OLDEST_PYTHON.replace('.', ', ')}):
    write(version=version, executable=sys.executable, package=None)
    sys.exit(${UNUSABLE})
import importlib.util, runpy
sys.path[:] = [path for path in sys.path if path != ""]
def find():
    try:
        spec = importlib.util.find_spec("svc")
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if os.path.isfile(os.path.join(folder, "_export.py")):
            return folder
    return None
package = find()
if package is None:
    sys.path.insert(0, bundled)
    importlib.invalidate_caches()
    package = find()
write(version=version, executable=sys.executable, package=package)
if package is None:
    sys.exit(${UNUSABLE})
import svc.__main__
if bundled in sys.path:
    sys.path.remove(bundled)
del sys.modules["svc.__main__"]
sys.argv = ["svc", script]
runpy.run_module("svc", run_name="__main__", alter_sys=True)
`
