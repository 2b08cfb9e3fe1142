import type { Operation, OperationTemplate } from '../contract/operation.ts'
import { type CompiledSchema, SCHEMA_FORMAT_VERSION } from '../schema/compiled.ts'
import { contentHash } from '../schema/content-hash.ts'
import { linkSchema } from '../schema/link/link.ts'
import type { SchemaModel } from '../schema/model.ts'

/** Creates an operation without roots, which suffices for hooks that read kind and name. Override members as needed. */
export function testOperation(
  template: Partial<OperationTemplate> = {},
  variables: Readonly<Record<string, unknown>> = {},
): Operation {
  return {
    template: { kind: 'query', name: null, roots: [], variables: [], ...template },
    variables,
  }
}

/** Creates a schema that contains the built-in scalars only. */
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
