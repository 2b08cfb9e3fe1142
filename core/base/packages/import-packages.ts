import { createRequire } from 'node:module'
import { SvcError } from '../errors/svc-error.ts'
import { installCommand } from './install-command.ts'
import type { OptionalPackages } from './optional-packages.ts'

/**
 * Imports packages that svc does not install.
 * @param plugin name of the plugin that needs the packages; `null`: core needs them, so the message names only the
 * feature
 * @param load imports the packages
 * @throws SvcError SVC_PACKAGE_MISSING with the command that installs them
 */
export async function importPackages<T>(
  plugin: string | null,
  need: OptionalPackages,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (cause instanceof SvcError) throw cause
    throw isAbsent(cause, need.names) ? missingPackages(plugin, need) : brokenPackages(plugin, need, cause)
  }
}

/**
 * Returns those of the named packages that are not installed.
 * @param places URLs of the files from whose folders the packages are looked up
 */
export function absentPackages(
  names: readonly string[],
  places: readonly string[] = [import.meta.url],
): readonly string[] {
  return names.filter((name) => places.every((place) => !resolves(name, place)))
}

/** Returns the error for packages that are not installed: the plugin, the feature, and the command that installs them. */
export function missingPackages(plugin: string | null, need: OptionalPackages): SvcError {
  return packageError(plugin, need, need.names.length === 1 ? 'is not installed' : 'are not installed')
}

function brokenPackages(plugin: string | null, need: OptionalPackages, cause: unknown): SvcError {
  const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
  return packageError(plugin, need, `cannot be loaded (${reason})`, cause)
}

function packageError(
  plugin: string | null,
  { names, ...need }: OptionalPackages,
  what: string,
  cause?: unknown,
): SvcError {
  const isOne = names.length === 1
  const list = names.map((name) => `"${name}"`).join(isOne ? '' : ', ')
  const subject = plugin === null ? need.for : `The plugin ${plugin}`
  const reason = plugin === null ? '' : ` (${need.for})`
  const instead = need.instead === undefined ? '' : `, or ${need.instead}`
  const message = `${subject} needs the ${isOne ? 'package' : 'packages'} ${list}${reason}, which ${what}. Install ${isOne ? 'it' : 'them'}${instead}: \`${installCommand(names)}\``
  return new SvcError('SVC_PACKAGE_MISSING', message, cause === undefined ? {} : { cause })
}

/** Is one of the packages itself the module that Node, or Bun, did not find? */
function isAbsent(cause: unknown, names: readonly string[]): boolean {
  const { code, message = '' } = cause as { readonly code?: unknown; readonly message?: string }
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return false
  const target = /(?:package|module) '([^']+)'/.exec(message)?.[1] ?? ''
  return names.some((name) => target === name || target.startsWith(`${name}/`))
}

function resolves(name: string, place: string): boolean {
  try {
    createRequire(place).resolve(name)
    return true
  } catch (error) {
    // A package without an entry for `require` is installed.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND'
  }
}
