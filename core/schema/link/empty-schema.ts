import { type CompiledSchema, SCHEMA_FORMAT_VERSION } from '../compiled.ts'
import { contentHash } from '../content-hash.ts'
import type { SchemaModel } from '../model.ts'
import { linkSchema } from './link.ts'

/** Creates a `SchemaModel` without declarations: it contains only the built-in scalars. */
export function emptySchema(): SchemaModel {
  const compiled: CompiledSchema = {
    schema_format_version: SCHEMA_FORMAT_VERSION,
    version: '1.0.0',
    content_hash: '',
    naming_convention: 'camelCase',
    requires: [],
    catalog: false,
    types: [],
    enums: [],
    interfaces: [],
    unions: [],
    input_types: [],
    custom_scalars: [],
    queries: [],
    mutations: [],
    subscriptions: [],
    observers: [],
    modules: [],
    sources: {},
    functions: {},
  }
  return linkSchema({ ...compiled, content_hash: contentHash(compiled) })
}
