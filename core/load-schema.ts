import { dirname, resolve } from 'node:path'
import { scalarFunctionsOf } from './authoring/scalar-functions.ts'
import { SvcError } from './errors/svc-error.ts'
import type { CompiledSchema } from './schema/compiled.ts'
import { checkArtifact, linkSchema } from './schema/link.ts'
import type { CustomScalarCodec, SchemaModel } from './schema/model.ts'
import { readCompiledSchema } from './schema/read-compiled.ts'
import { printImportPlace, readImportFault } from './util/import-fault.ts'
import { type ModuleExports, startModuleRun } from './util/import-module.ts'

/** Imports a module of the schema's author. A reload gets the file as it is now, not as it was at boot. */
async function importFresh(path: string): Promise<ModuleExports> {
  try {
    return await startModuleRun()(path)
  } catch (cause) {
    const fault = readImportFault(cause)
    const reason = fault === null ? (cause as Error).message : `${printImportPlace(fault)}: ${fault.message}`
    const message = `The module ${path}, which the compiled schema relies on, cannot be loaded: ${reason}`
    throw new SvcError('SVC_SCHEMA_INVALID', message, fault === null ? { cause } : {})
  }
}

/** The functions of the custom scalars, which stay in the author's module (architecture "Authoring"). */
async function loadCodecs(compiled: CompiledSchema, baseDir: string): Promise<ReadonlyMap<string, CustomScalarCodec>> {
  const modules = new Map<string, Promise<ModuleExports>>()
  const codecs = new Map<string, CustomScalarCodec>()
  for (const scalar of compiled.custom_scalars) {
    if (scalar.module === undefined) continue
    const path = resolve(baseDir, scalar.module)
    if (!modules.has(path)) modules.set(path, importFresh(path))
    const codec = scalarFunctionsOf((await modules.get(path)!)[scalar.export ?? scalar.name])
    if (Object.keys(codec).length === 0) {
      throw new SvcError(
        'SVC_SCHEMA_INVALID',
        `${scalar.module} has no export "${scalar.export ?? scalar.name}" with serialize, parse or parseLiteral for the scalar ${scalar.name}. Run \`svc compile\` again.`,
      )
    }
    codecs.set(scalar.name, codec)
  }
  return codecs
}

/**
 * Reads the artifact, loads the modules it names, links it.
 * @param path absolute path of the compiled schema; modules are relative to its folder
 * @throws SvcError SVC_SCHEMA_NOT_FOUND, SVC_SCHEMA_FORMAT, SVC_SCHEMA_INVALID
 */
export async function loadSchema(path: string): Promise<SchemaModel> {
  const compiled = await readCompiledSchema(path)
  checkArtifact(compiled)
  return linkSchema(compiled, { codecs: await loadCodecs(compiled, dirname(path)) })
}
