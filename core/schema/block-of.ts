import type { SchemaModel } from './model.ts'

/**
 * Returns the block that the compile part of a plugin added to the compiled schema.
 * @returns JSON as the compile part returned it; `undefined` when it added none
 */
export function blockOf(schema: Pick<SchemaModel, 'compiled'>, plugin: string): unknown {
  return schema.compiled.plugins?.[plugin]?.block
}
