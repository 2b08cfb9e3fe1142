import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { OLDEST_PYTHON } from './bootstrap.ts'

const IN_ENVIRONMENT = process.platform === 'win32' ? join('Scripts', 'python.exe') : join('bin', 'python')
const COMMANDS = process.platform === 'win32' ? ['python', 'python3', 'py'] : ['python3', 'python']

/** Ways to name an interpreter, for messages. */
export const HOW_TO_NAME = 'name an interpreter in SVC_PYTHON or svc.python'

/**
 * Returns interpreters to try, best first: the configured one, else that of a virtual environment `.venv` in one of the
 * folders, else `python3` and `python` on PATH. A configured interpreter, and that of a virtual environment, is the
 * only one.
 * @param folders folders of the project and of the schema, absolute
 * @param named configured interpreter: a command, or a path relative to the first folder
 * @throws SvcError SVC_PYTHON_MISSING: the virtual environment or the named path has no interpreter
 */
export function findPython(folders: readonly string[], named?: string): readonly string[] {
  if (named !== undefined) {
    if (!/[\\/]/.test(named)) return [named]
    const path = isAbsolute(named) ? named : resolve(folders[0] ?? '.', named)
    if (existsSync(path)) return [path]
    throw new SvcError('SVC_PYTHON_MISSING', `SVC_PYTHON or svc.python names ${path}, which does not exist.`)
  }
  for (const folder of folders) {
    const environment = join(folder, '.venv')
    const python = join(environment, IN_ENVIRONMENT)
    if (existsSync(python)) return [python]
    if (!existsSync(join(environment, 'pyvenv.cfg'))) continue
    const message = `The virtual environment ${environment} has lost its interpreter. Create it again: python3 -m venv ${environment}. Or ${HOW_TO_NAME}.`
    throw new SvcError('SVC_PYTHON_MISSING', message)
  }
  return COMMANDS
}

/** Creates the error for a machine without an interpreter. @param tried commands that do not exist */
export function noPython(tried: readonly string[]): SvcError {
  const names = tried.join(' and ')
  const message = `A schema in Python needs Python ${OLDEST_PYTHON} or newer, and there is no command ${names}. Install Python, or ${HOW_TO_NAME}.`
  return new SvcError('SVC_PYTHON_MISSING', message)
}
