import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collectSchema, formatPlace } from '../authoring/collect.ts'
import * as authoring from '../authoring/index.ts'
import { type Registry, withFreshRegistry } from '../authoring/registry.ts'
import { hasScalarFunctions } from '../authoring/scalar-functions.ts'
import { SvcError } from '../base/errors/svc-error.ts'
import { printImportPlace, readImportFault } from '../base/util/import-fault.ts'
import { type ImportModule, startModuleRun } from '../base/util/import-module.ts'
import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'

type Located = { readonly module: string; readonly export: string }

/** The previous load. Loads run one after the other, because the process has a single registry of declarations. */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Imports a schema module (`schema.ts`), and returns the declarations that it and its imports made, as an authored
 * schema.
 * @param path absolute path of the module
 * @param baseDir folder that module paths in the result are relative to. Default: the folder of the module
 * @throws SvcError SVC_SCHEMA_INVALID: the module cannot be imported, or its declarations have faults
 */
export function loadSchemaModule(path: string, baseDir = dirname(path)): Promise<AuthoredSchema> {
  const load = previous.then(() =>
    withFreshRegistry(async (registry) => {
      const importModule = startModuleRun()
      await importModule(path).catch((error: unknown) => Promise.reject(describeImportFailure(error, path)))
      const located = await locateFunctions(registry, importModule, baseDir)
      const schema = collectSchema({ locate: (target) => located.get(target) ?? null })
      const modules = [...new Set([...located.values()].map((one) => one.module))]
      return modules.length === 0 ? schema : { ...schema, modules: modules.map((module) => ({ path: module })) }
    }),
  )
  previous = load.catch(() => undefined)
  return load
}

/** Finds the module and export of each function, from which the server imports it. */
async function locateFunctions(
  { elements, faults }: Registry,
  importModule: ImportModule,
  baseDir: string,
): Promise<Map<object, Located>> {
  const located = new Map<object, Located>()
  for (const { collection, name, place, functions } of elements) {
    if (functions === undefined) continue
    const isScalar = collection === 'custom_scalars'
    if (isScalar && !hasScalarFunctions(functions)) continue
    const exports = await importModule(place.file)
    const found = Object.entries(exports).find(([, value]) => value === functions)
    if (found === undefined) {
      const what = isScalar ? `scalar "${name}" has functions` : `"${name}" is a function`
      const message = `${what} that the server loads at run time. Export it: export const ${name} = …`
      faults.push({ place, message })
    } else located.set(functions, { module: modulePath(baseDir, place.file), export: found[0] })
  }
  return located
}

function modulePath(baseDir: string, file: string): string {
  const path = relative(baseDir, file).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

function describeImportFailure(error: unknown, path: string): SvcError {
  if (!(error instanceof Error)) {
    return new SvcError('SVC_SCHEMA_INVALID', `${path}: the module throws ${String(error)}`, { cause: error })
  }
  const { code } = error as { readonly code?: unknown }
  // The project may have its own installation of svc, whose SvcError is another class.
  if (error.name === 'SvcError' && typeof code === 'string') return new SvcError(code, error.message, { cause: error })
  const fault = readImportFault(error, (specifier) => (specifier === 'svc/authoring' ? Object.keys(authoring) : []))
  if (fault !== null) return new SvcError('SVC_SCHEMA_INVALID', `${printImportPlace(fault)}: ${fault.message}`)
  const untranslated = describeUntranslated(error)
  if (untranslated !== null) return untranslated
  const place = placeOfFailure(error)
  const at = place === null ? path : formatPlace(place)
  const message = error.message.replace(/[?&]svc-run=\d+/g, '')
  return new SvcError('SVC_SCHEMA_INVALID', `${at}: ${error.name}: ${message}${adviseOn(error)}`, { cause: error })
}

/**
 * Describes syntax errors of tsx. Each line of its message is `file:line:column: ERROR: text`, with columns from 0.
 * @returns `null` for other errors
 */
function describeUntranslated({ message }: Error): SvcError | null {
  const faults = [...message.matchAll(/^(.+?)(?:\?[^:]*)?:(\d+):(\d+): ERROR: (.+)$/gm)]
  if (faults.length === 0) return null
  const lines = faults.map(
    ([, file, line, column, text]) => `${file}:${line}:${Number(column) + 1}: this is no TypeScript: ${text}`,
  )
  return new SvcError('SVC_SCHEMA_INVALID', lines.join('\n'))
}

function adviseOn(error: Error): string {
  const missing = /Cannot access '(\w+)' before initialization/.exec(error.message)
  return missing === null ? '' : `. What is declared further down is given as a function: () => ${missing[1]}`
}

const CORE = fileURLToPath(new URL('..', import.meta.url))

/** Returns the location of the topmost stack frame in a file of the author. */
function placeOfFailure(error: Error): SourceLocation | null {
  for (const frame of (error.stack ?? '').split('\n')) {
    const match = /(?:^|[\s(])(?:file:\/\/)?(\/[^()?:]+|[A-Za-z]:[\\/][^()?:]+)(?:\?[^():]*)?:(\d+):(\d+)\)?$/.exec(
      frame,
    )
    const file = match?.[1] ?? ''
    if (match === null || file.includes('node_modules') || file.startsWith(CORE)) continue
    return { file, line: Number(match[2]), column: Number(match[3]) }
  }
  return null
}
