import { catalogNames } from '../../core/compiler/catalog-names.ts'
import { type CompileOptions, compileSchema } from '../../core/compiler/compile.ts'
import type { Catalog, Database } from '../../core/contract/database.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import type { CompiledSchema } from '../../core/schema/compiled.ts'
import { linkSchema } from '../../core/schema/link/link.ts'
import type { SchemaModel } from '../../core/schema/model.ts'
import { OWNED_KEYS } from './owned-keys.ts'

/**
 * Compiles and links a schema for a test.
 * @param catalog what the database has (`await readCatalogFor(authored, database)`); `null` compiles offline
 * @throws Error that lists every fault
 */
export function compileFixture(
  authored: AuthoredSchema,
  catalog: Catalog | null,
  queryDefaults?: CompileOptions['queryDefaults'],
  dialect?: CompileOptions['dialect'],
): SchemaModel {
  return linkSchema(compileArtifact(authored, catalog, { queryDefaults, dialect }))
}

/** The artifact itself. @throws Error that lists every fault */
export function compileArtifact(
  authored: AuthoredSchema,
  catalog: Catalog | null,
  options: Partial<CompileOptions> = {},
): CompiledSchema {
  const { compiled, faults } = compileSchema(authored, { catalog, owned: OWNED_KEYS, ...options })
  if (compiled !== null) return compiled
  throw new Error(`The fixture does not compile:\n${faults.map((fault) => `- ${fault.message}`).join('\n')}`)
}

/** Everything that compiling the schema asks a live database about. */
export function readCatalogFor(authored: AuthoredSchema, database: Pick<Database, 'catalog'>): Promise<Catalog> {
  return database.catalog(catalogNames(authored))
}
