import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { formatPlace } from '../../authoring/collect.ts'
import { SvcError } from '../../base/errors/svc-error.ts'
import { JsonSyntaxError, parsePlacedJson } from '../../base/util/placed-json.ts'
import type { AuthoredSchema } from '../../schema/authored.ts'
import { OLDEST_PYTHON, UNUSABLE } from './bootstrap.ts'
import { findPython, HOW_TO_NAME, noPython } from './find-python.ts'
import type { PythonOptions } from './python-options.ts'
import { type FaultReport, splitFaults } from './read-faults.ts'
import { type PythonRun, type PythonRunOptions, runPython } from './run-python.ts'

/** A schema that a Python module declares. */
export interface PythonSchema {
  /** The schema. Its elements have a `$place`, their location in the Python source. */
  readonly schema: AuthoredSchema
  /** Absolute paths of the Python modules of the author that were imported. */
  readonly files: readonly string[]
}

const TIMEOUT_MS = 60_000
/** Lines of a traceback that are shown. */
const MOST_LINES = 20

/**
 * Runs a Python schema module, and reads the schema that it writes.
 * @param path absolute path of the module
 * @param baseDir folder of svc.toml, which the module runs in
 * @throws SvcError SVC_PYTHON_MISSING: no interpreter that can run it; SVC_SCHEMA_INVALID with all errors of the
 * module. `details.files` has the modules that were imported until then
 */
export async function loadPythonModule(
  path: string,
  baseDir = dirname(path),
  options: PythonOptions = {},
): Promise<PythonSchema> {
  const { timeoutMs = TIMEOUT_MS, print = (text: string) => void process.stderr.write(text) } = options
  const scratch = await mkdtemp(join(tmpdir(), 'svc-python-'))
  try {
    const run = await runFirst(findPython([...new Set([baseDir, dirname(path)])], options.interpreter), {
      script: path,
      cwd: baseDir,
      timeoutMs,
      scratch,
      print,
    })
    const { faults, rest } = splitFaults(run.errors)
    if (run.end === 0) {
      if (rest !== '') print(rest)
      return await readWritten(path, join(scratch, 'schema.json'))
    }
    if (faults === null) throw describeEnd(path, run, timeoutMs)
    if (rest !== '') print(rest)
    throw faultsError(faults)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Runs the module with the first interpreter that exists. */
async function runFirst(
  interpreters: readonly string[],
  options: Omit<PythonRunOptions, 'interpreter'>,
): Promise<PythonRun> {
  for (const interpreter of interpreters) {
    const run = await runPython({ ...options, interpreter })
    if (run.end === 'missing') continue
    refuseUnusable(interpreter, run)
    return run
  }
  throw noPython(interpreters)
}

function refuseUnusable(interpreter: string, { end, errors, report }: PythonRun): void {
  if (report === null) {
    if (end === 'timeout') return
    const said = lastLines(errors)
    const why = said === '' ? `it ends with ${end}` : said
    throw new SvcError(
      'SVC_PYTHON_MISSING',
      `${interpreter} does not run Python: ${why}\nTo use another, ${HOW_TO_NAME}.`,
    )
  }
  if (end !== UNUSABLE) return
  const shown = `${report.executable || interpreter} (Python ${report.version})`
  const message =
    report.package === null && !isOld(report.version)
      ? `The Python package of svc is neither in the environment of ${shown} nor in this installation of svc. Install it: ${report.executable || interpreter} -m pip install svc-server-authoring`
      : `A schema in Python needs Python ${OLDEST_PYTHON} or newer, and ${shown} is older. Install a newer one, or ${HOW_TO_NAME}.`
  throw new SvcError('SVC_PYTHON_MISSING', message)
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldMajor = 0, oldMinor = 0] = OLDEST_PYTHON.split('.').map(Number)
  return major < oldMajor || (major === oldMajor && minor < oldMinor)
}

async function readWritten(path: string, output: string): Promise<PythonSchema> {
  const text = await readFile(output, 'utf8').catch(() => null)
  if (text === null)
    throw invalid(
      `${path}: the module ended before it wrote a schema. Remove os._exit() and the like, or end it with svc.export()`,
    )
  try {
    const { value } = parsePlacedJson(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new JsonSyntaxError('no object', 1, 1)
    const { $schema: _, $files: files, ...schema } = value as AuthoredSchema & { readonly $files?: readonly string[] }
    return { schema, files: Array.isArray(files) ? files : [path] }
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause
    const message = `${path}: the module wrote a schema that is no JSON (line ${cause.line}: ${cause.message}). Does it write to SVC_SCHEMA_OUT itself? Only svc.export() may`
    throw new SvcError('SVC_SCHEMA_INVALID', message, { cause })
  }
}

function faultsError({ faults, files }: FaultReport): SvcError {
  const lines = faults.map(({ message, ...place }) => `${formatPlace(place)}: ${message}`)
  const places = faults.map(({ message, ...place }) => ({ place, message }))
  // A module that cannot be imported is not among the imported ones.
  const known = [...new Set([...files, ...faults.map(({ file }) => file)])]
  return new SvcError('SVC_SCHEMA_INVALID', lines.join('\n'), { details: { faults: places, files: known } })
}

/** Describes a run that ended without a schema and without a report of errors. */
function describeEnd(path: string, { end, errors }: PythonRun, timeoutMs: number): SvcError {
  if (end === 'timeout') {
    const message = `${path}: the module did not end within ${timeoutMs / 1000} seconds (svc.python_timeout_ms). A schema module declares types and ends; it starts no server and waits for nothing`
    return invalid(withOutput(message, errors))
  }
  const how = typeof end === 'number' ? `ended with exit code ${end}` : `was ended by ${end}`
  return invalid(withOutput(`${path}: the module ${how}, without a schema`, errors))
}

function withOutput(message: string, errors: string): string {
  const said = lastLines(errors)
  return said === '' ? message : `${message}. Its last output:\n${said}`
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-MOST_LINES).join('\n').slice(-8192)
}

function invalid(message: string): SvcError {
  return new SvcError('SVC_SCHEMA_INVALID', message)
}
