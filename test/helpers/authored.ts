import { collectSchema } from '../../core/authoring/index.ts'
import { withFreshRegistry } from '../../core/authoring/registry.ts'
import { scalarFunctionsOf } from '../../core/authoring/scalar-functions.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import type { LinkOptions } from '../../core/schema/link/link.ts'

const MODULE = './schema.ts'

export interface Authored {
  readonly schema: AuthoredSchema
  /** The functions of the "module", as the server finds them when it loads it. */
  readonly link: LinkOptions
}

/**
 * What a schema module declares, in place of a file.
 * @param declare the body of the module; gives what it exports
 */
export async function authored(declare: () => Readonly<Record<string, object>>): Promise<Authored> {
  let exports: Readonly<Record<string, object>> = {}
  const schema = await withFreshRegistry(async () => {
    exports = declare()
    const locate = (target: object) => {
      const [name] = Object.entries(exports).find(([, value]) => value === target) ?? []
      return name === undefined ? null : { module: MODULE, export: name }
    }
    return collectSchema({ locate })
  })
  const scalars = (schema.custom_scalars ?? []).filter((scalar) => scalar.export !== undefined)
  return {
    schema,
    link: {
      codecs: new Map(scalars.map((scalar) => [scalar.name, scalarFunctionsOf(exports[scalar.export ?? ''])])),
      authorFunctions: (schema.author_functions ?? []).map(({ $place: _, ...recorded }) => ({
        ...recorded,
        value: exports[recorded.export],
      })),
    },
  }
}
