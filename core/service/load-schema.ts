import { dirname, resolve } from 'node:path'
import { scalarFunctionsOf } from '../authoring/scalar-functions.ts'
import { SvcError } from '../base/errors/svc-error.ts'
import { printImportPlace, readImportFault } from '../base/util/import-fault.ts'
import { type ModuleExports, startModuleRun } from '../base/util/import-module.ts'
import { didYouMean } from '../base/util/nearest.ts'
import type { CompiledSchema } from '../schema/compiled.ts'
import { checkArtifact, linkChecked } from '../schema/link/link.ts'
import type { AuthorFunction, CustomScalarCodec, SchemaModel } from '../schema/model.ts'
import { readCompiledSchema } from '../schema/read-compiled.ts'

/** The artifact's entry for a function in a module of the author. */
type Recorded = Omit<AuthorFunction, 'value'>

/** Creates an importer of the author's modules. It imports each module once, in its current version instead of that at boot. */
function createImporter(baseDir: string): (module: string) => Promise<ModuleExports> {
  const importModule = startModuleRun()
  const loaded = new Map<string, Promise<ModuleExports>>()
  return (module) => {
    const path = resolve(baseDir, module)
    let exports = loaded.get(path)
    if (exports === undefined) {
      exports = importModule(path).catch((cause: unknown) => {
        const fault = readImportFault(cause)
        const plain = cause instanceof Error ? cause.message : String(cause)
        const reason = fault === null ? plain : `${printImportPlace(fault)}: ${fault.message}`
        const message = `The module ${path}, which the compiled schema relies on, cannot be loaded: ${reason}`
        throw new SvcError('SVC_SCHEMA_INVALID', message, fault === null ? { cause } : {})
      })
      loaded.set(path, exports)
    }
    return exports
  }
}

/** Lists the functions in the artifact. Those of custom scalars are recorded with the scalar, all others in one list. */
function recordedIn(compiled: CompiledSchema): readonly Recorded[] {
  const scalars = compiled.custom_scalars.flatMap(({ name, module, export: exported = name }) =>
    module === undefined ? [] : [{ kind: 'scalar', name, module, export: exported }],
  )
  return [...scalars, ...(compiled.author_functions ?? [])]
}

async function loadFunctions(compiled: CompiledSchema, baseDir: string): Promise<readonly AuthorFunction[]> {
  const importModule = createImporter(baseDir)
  return Promise.all(
    recordedIn(compiled).map(async (recorded) => {
      const exports = await importModule(recorded.module)
      const value = exports[recorded.export]
      if (value === undefined) throw lacks(recorded, didYouMean(recorded.export, Object.keys(exports)))
      return Object.freeze({ ...recorded, value })
    }),
  )
}

function lacks({ kind, name, module, export: exported }: Recorded, hint: string): SvcError {
  const what = kind === 'scalar' ? ' with serialize, parse or parseLiteral' : ''
  const message = `${module} has no export "${exported}"${what} for the ${kind} ${name}.${hint} Run \`svc compile\` again.`
  return new SvcError('SVC_SCHEMA_INVALID', message)
}

function toCodec(recorded: AuthorFunction): readonly [string, CustomScalarCodec] {
  const codec = scalarFunctionsOf(recorded.value)
  if (Object.keys(codec).length === 0) throw lacks(recorded, '')
  return [recorded.name, codec]
}

/**
 * Reads the compiled schema from its file, and imports the author's functions and custom scalars that it names.
 * @param path absolute path of the file; paths of modules are relative to its folder
 * @throws SvcError SVC_SCHEMA_NOT_FOUND: there is no such file; SVC_SCHEMA_FORMAT: it is no compiled schema of this
 * version; SVC_SCHEMA_INVALID: a module cannot be imported or lacks an export
 */
export async function loadSchema(path: string): Promise<SchemaModel> {
  const compiled = await readCompiledSchema(path)
  checkArtifact(compiled)
  const functions = await loadFunctions(compiled, dirname(path))
  const isScalar = ({ kind }: AuthorFunction): boolean => kind === 'scalar'
  return linkChecked(compiled, {
    codecs: new Map(functions.filter(isScalar).map(toCodec)),
    authorFunctions: functions.filter((one) => !isScalar(one)),
  })
}
