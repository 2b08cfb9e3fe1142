import type { SchemaModel } from '../schema/model.ts'
import type { BootFault } from './faults.ts'
import { howToGet, type KnownPlugin } from './order.ts'

/** Returns a fault SVC_SCHEMA_REQUIRES for each plugin that the schema requires and that does not run. */
export function checkRequires(
  schema: Pick<SchemaModel, 'requires'>,
  running: ReadonlySet<string>,
  known: readonly KnownPlugin[] = [],
): readonly BootFault[] {
  return schema.requires
    .filter((name) => !running.has(name))
    .map((name) => ({
      code: 'SVC_SCHEMA_REQUIRES',
      plugin: null,
      message: `The compiled schema relies on plugin "${name}", which is not running. ${howToGet(name, running, known)}`,
    }))
}
