import { resolve } from 'node:path'
import { type ScalarFunctions, scalarFunctionsOf } from '../authoring/scalar-functions.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { AuthoredScalar } from '../schema/authored.ts'
import { startModuleRun } from '../util/import-module.ts'
import { listNames } from '../util/nearest.ts'

/**
 * Loads the functions of the custom scalars from the modules that the schema names.
 * @param scalars `custom_scalars` of the authored or compiled schema
 * @param baseDir absolute folder of svc.toml, which module paths are relative to
 * @returns functions by scalar name; scalars that are data only have no entry
 * @throws SvcError SVC_SCHEMA_INVALID when a module or export is not there
 */
export async function loadScalarFunctions(
  scalars: readonly AuthoredScalar[],
  baseDir: string,
): Promise<ReadonlyMap<string, Partial<ScalarFunctions>>> {
  const found = new Map<string, Partial<ScalarFunctions>>()
  const importModule = startModuleRun()
  for (const { name, module: path, export: exported } of scalars) {
    if (path === undefined || exported === undefined) continue
    const exports = await importModule(resolve(baseDir, path)).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new SvcError('SVC_SCHEMA_INVALID', `The module of scalar "${name}", ${path}, cannot be loaded: ${why}`, {
        cause,
      })
    })
    const functions = scalarFunctionsOf(exports[exported])
    if (Object.keys(functions).length === 0) {
      const message = `${path} exports no "${exported}" with serialize, parse or parseLiteral, which scalar "${name}" needs. It exports ${listNames(Object.keys(exports))}. Compile the schema again.`
      throw new SvcError('SVC_SCHEMA_INVALID', message)
    }
    found.set(name, functions)
  }
  return found
}
