import { SvcError } from '../../base/errors/svc-error.ts'
import { COLLECTIONS } from '../collections.ts'
import { type CompiledSchema, SCHEMA_FORMAT_VERSION } from '../compiled.ts'
import { contentHash } from '../content-hash.ts'
import type { AuthorFunction, CustomScalarCodec, NamedType, ObjectType, SchemaModel } from '../model.ts'
import { LinkContext } from './link-context.ts'
import { linkMutation, linkQuery, linkSubscription } from './link-operations.ts'
import { declareTypes, fillTypes } from './link-types.ts'

export interface LinkOptions {
  /** Conversion functions of custom scalars, imported from their modules, by name of the scalar. */
  readonly codecs?: ReadonlyMap<string, CustomScalarCodec>
  /** The functions that `author_functions` lists, imported from their modules. */
  readonly authorFunctions?: readonly AuthorFunction[]
}

const ARRAYS = ['requires', ...COLLECTIONS, 'modules'] as const
const OBJECTS = ['sources', 'functions'] as const

/**
 * Converts a compiled schema to the model that the service uses: names are replaced by references to the elements,
 * elements can be looked up by their name in the API, and all objects are frozen.
 * @throws SvcError SVC_SCHEMA_FORMAT when the input is no compiled schema, has another format version, was changed
 * after compilation (its content hash differs), or refers to a missing element
 */
export function linkSchema(compiled: CompiledSchema, options: LinkOptions = {}): SchemaModel {
  checkArtifact(compiled)
  return linkChecked(compiled, options)
}

/**
 * Does the same as {@link linkSchema} for a schema that {@link checkArtifact} has already accepted. This halves the
 * time for a large schema, because its hash is not computed again.
 * @throws SvcError SVC_SCHEMA_FORMAT when the schema refers to a missing element
 */
export function linkChecked(compiled: CompiledSchema, options: LinkOptions): SchemaModel {
  const types = new Map<string, NamedType>()
  const context = new LinkContext(compiled, types)
  declareTypes(context, options.codecs ?? new Map())
  fillTypes(context)
  const queries = compiled.queries.map((query) => linkQuery(context, query))
  const model: SchemaModel = {
    hash: compiled.content_hash,
    version: compiled.version,
    requires: compiled.requires,
    dialect: compiled.dialect ?? 'postgres',
    databases: new Map(Object.entries(compiled.databases ?? {}).map(([name, { dialect }]) => [name, dialect])),
    types,
    queries: byWireName(queries.filter(({ dataplane }) => dataplane === 'graphql')),
    arrowQueries: byWireName(queries.filter(({ dataplane }) => dataplane === 'arrow')),
    mutations: byWireName(compiled.mutations.map((mutation) => linkMutation(context, mutation))),
    subscriptions: byWireName(compiled.subscriptions.map((subscription) => linkSubscription(context, subscription))),
    sources: new Map(Object.entries(compiled.sources)),
    functions: new Map(Object.entries(compiled.functions)),
    relayTypes: Object.freeze([...types.values()].filter((type): type is ObjectType => isRelay(type))),
    modules: compiled.modules,
    authorFunctions: options.authorFunctions ?? [],
    compiled,
  }
  return Object.freeze(model)
}

function isRelay(type: NamedType): boolean {
  return type.kind === 'object' && type.relay
}

function byWireName<T extends { readonly wireName: string }>(elements: readonly T[]): ReadonlyMap<string, T> {
  return new Map(elements.map((element) => [element.wireName, element]))
}

/**
 * Checks that a value is a compiled schema of a supported format version with a matching content hash. Call it before
 * you read anything else from the value.
 * @throws SvcError SVC_SCHEMA_FORMAT: the value is none
 */
export function checkArtifact(compiled: CompiledSchema): void {
  if (compiled === null || typeof compiled !== 'object' || Array.isArray(compiled)) {
    throw malformed('it is not a JSON object')
  }
  const version: unknown = compiled.schema_format_version
  if (!Number.isInteger(version)) {
    const hint = Array.isArray(compiled.types) ? ' It looks like a schema.json: run `svc compile` on it.' : ''
    throw new SvcError('SVC_SCHEMA_FORMAT', `This is not a compiled schema: it has no schema_format_version.${hint}`)
  }
  if (version !== SCHEMA_FORMAT_VERSION) {
    const older = (version as number) < SCHEMA_FORMAT_VERSION
    throw new SvcError(
      'SVC_SCHEMA_FORMAT',
      `The compiled schema has format version ${version}, this svc reads version ${SCHEMA_FORMAT_VERSION}. ` +
        (older ? 'Run `svc compile` again.' : 'Update svc, or compile with this version of it.'),
    )
  }
  for (const key of ARRAYS) if (!Array.isArray(compiled[key])) throw malformed(`"${key}" is not a list`)
  for (const key of OBJECTS) {
    if (typeof compiled[key] !== 'object' || compiled[key] === null) throw malformed(`"${key}" is not an object`)
  }
  if (contentHash(compiled) !== compiled.content_hash) {
    throw new SvcError(
      'SVC_SCHEMA_FORMAT',
      'The compiled schema was changed after it was compiled: its content_hash does not match. ' +
        'Change the schema source instead and run `svc compile`.',
    )
  }
}

function malformed(why: string): SvcError {
  return new SvcError('SVC_SCHEMA_FORMAT', `The compiled schema cannot be used: ${why}. Run \`svc compile\` again.`)
}
