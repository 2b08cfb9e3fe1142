import type { SchemaModel } from './model.ts'

/**
 * Returns the data that a plugin's compile part stored in the compiled schema (its block).
 * @param plugin name of the plugin
 * @returns JSON as the compile part returned it; `undefined`: it stored none
 */
export function blockOf(schema: Pick<SchemaModel, 'compiled'>, plugin: string): unknown {
  return schema.compiled.plugins?.[plugin]?.block
}
