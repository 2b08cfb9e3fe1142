import type { Components } from './components.ts'
import type { Json } from './json.ts'

/**
 * The same, or null. OpenAPI 3.0.3 lets `nullable` count beside `type` alone, so a reference gets a choice.
 */
export function nullable(schema: Json, components: Components): Json {
  if (typeof schema.type === 'string') {
    const { enum: values } = schema
    return { ...schema, nullable: true, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
  }
  // Without a type anything goes, null too.
  if (schema.$ref === undefined && schema.anyOf === undefined && schema.oneOf === undefined) return schema
  const none = components.schema('null', 'Null', () => ({
    type: 'string',
    nullable: true,
    enum: [null],
    description: 'Null.',
  }))
  const all = Array.isArray(schema.anyOf) ? schema.anyOf : [schema]
  const { anyOf: _, ...rest } = schema.$ref === undefined ? schema : {}
  return { ...rest, anyOf: [...(schema.oneOf === undefined ? all : [schema]), none] }
}
