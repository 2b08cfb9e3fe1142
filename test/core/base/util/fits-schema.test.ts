import fc from 'fast-check'
import t from 'tap'
import { createAjv } from '../../../../core/base/util/create-ajv.ts'
import { fitsSchema } from '../../../../core/base/util/fits-schema.ts'
import { isPlainSchema } from '../../../../core/base/util/plain-schema.ts'
import { assembleConfigSchema } from '../../../../core/config/assemble-schema.ts'
import { entriesOf } from '../../../../core/config/plugin-catalog.ts'
import { PRESETS } from '../../../../presets/index.ts'

type Schema = Readonly<Record<string, unknown>>

const MANIFESTS = [...new Map(PRESETS.flatMap(entriesOf).map(({ manifest }) => [manifest.name, manifest])).values()]

/** What no manifest says yet, and what the library and this could see differently. */
const CORNERS: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    any: { type: ['string', 'number', 'null'], maxLength: 2 },
    whole: { type: 'integer', exclusiveMaximum: 3, exclusiveMinimum: 0 },
    tags: { type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true, maxItems: 2, default: ['a'] },
    bag: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { n: { type: 'number', default: 1 } } },
    },
    rows: { type: 'array', items: { type: 'object', properties: { on: { type: 'boolean', default: true } } } },
    filled: { type: 'object', default: {}, required: ['deep'], properties: { deep: { enum: [1, 'x'], default: 'x' } } },
    choice: {
      anyOf: [
        { type: 'string', pattern: '^\\p{L}$' },
        { type: 'object', required: ['a'] },
      ],
    },
    either: {
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      properties: { a: { type: 'number' }, b: { type: 'number', default: 2 } },
    },
  },
}

const SCHEMAS: readonly Schema[] = [
  CORNERS,
  ...MANIFESTS.flatMap(({ options }) => (options === undefined ? [] : [{ type: 'object', ...options }])),
]

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'a', '𝒳', '𝒳y', 'é', '/x', 'https://a.b', 0, -1, 1, 2, 1.5, 1e9, true, false),
  fc.constantFrom<unknown>([], ['a'], ['a', 'a'], [1, 1], [{}, {}], {}, { a: 1 }, { a: 1, b: 2 }, { deep: 2 }),
)

/** Values that fit more often than not, so that every rule is met by both. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const branches = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
  const likely: fc.Arbitrary<unknown>[] = []
  if (schema.enum !== undefined) likely.push(fc.constantFrom(...(schema.enum as unknown[])))
  if (branches !== undefined) likely.push(...branches.map(valuesOf))
  if (schema.default !== undefined) likely.push(fc.constant(schema.default))
  if (schema.items !== undefined) likely.push(fc.array(valuesOf(schema.items as Schema), { maxLength: 3 }))
  if (schema.type === 'boolean') likely.push(fc.boolean())
  if (schema.type === 'string' && schema.enum === undefined) likely.push(fc.constantFrom('abc', '/a', 'x'.repeat(40)))
  if (schema.type === 'integer' || schema.type === 'number')
    likely.push(fc.constantFrom(schema.minimum ?? 1, schema.maximum ?? 2))
  if (schema.properties !== undefined) {
    const parts = Object.entries(schema.properties as Record<string, Schema>)
    const record = fc.record(Object.fromEntries(parts.map(([key, part]) => [key, valuesOf(part)])), {
      requiredKeys: [],
    })
    likely.push(
      record,
      record,
      fc.tuple(record, anything).map(([known, extra]) => ({ ...known, unheard: extra })),
    )
  }
  if (typeof schema.additionalProperties === 'object')
    likely.push(fc.dictionary(fc.constantFrom('a', 'b'), valuesOf(schema.additionalProperties as Schema)))
  if (likely.length === 0) return anything
  return fc.oneof({ arbitrary: anything, weight: 1 }, { arbitrary: fc.oneof(...likely), weight: 80 })
}

for (const [index, schema] of SCHEMAS.entries()) {
  const name =
    index === 0 ? 'corners' : (MANIFESTS.filter(({ options }) => options !== undefined)[index - 1]?.name ?? '')
  t.test(`${name}: fits what fits for ajv, and is filled in as ajv does it`, async (t) => {
    const validate = createAjv({ allErrors: true, useDefaults: true, strict: false }).compile(schema)
    let fitting = 0
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        const [ours, theirs] = [structuredClone(value), structuredClone(value)]
        const [fits, valid] = [fitsSchema(schema, ours), validate(theirs)]
        if (fits) fitting++
        if (fits !== valid) throw new Error(`${fits}, ajv: ${valid}`)
        if (!fits && !valid) {
          // What was filled in until it did not fit changes nothing of what ajv says.
          const [plain, later] = [validate.errors, (validate(ours), validate.errors)]
          if (JSON.stringify(plain) !== JSON.stringify(later)) throw new Error('other faults')
        }
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new Error(`${JSON.stringify([ours, theirs])}`)
      }),
      { numRuns: index === 0 ? 2000 : 60 },
    )
    t.ok(fitting > 0)
  })
}

t.test('every plugin of svc and the whole of the configuration can be read without a library', async (t) => {
  t.same(
    MANIFESTS.filter(({ options }) => options !== undefined && !isPlainSchema(options)).map(({ name }) => name),
    [],
  )
  t.ok(isPlainSchema(assembleConfigSchema(MANIFESTS)))
})

t.test('a schema that is malformed or has more keywords is left to the library', async (t) => {
  const others: readonly Schema[] = [
    { typ: 'string' },
    { type: 'text' },
    { type: [] },
    { type: ['string', 'string'] },
    { format: 'email' },
    { enum: [] },
    { enum: [{}] },
    { enum: 'a' },
    { required: 'a' },
    { required: ['a', 'a'] },
    { minLength: -1 },
    { minimum: '1' },
    { pattern: '(' },
    { pattern: '\\-' },
    { anyOf: [] },
    { anyOf: [{ properties: { a: { default: 1 } } }] },
    { oneOf: [{ items: { default: 1 } }] },
    { properties: [] },
    { properties: { a: { properties: { b: true } } } },
    { items: { $ref: '#' } },
    { additionalProperties: { const: 1 } },
  ]
  t.same(
    others.filter((schema) => isPlainSchema(schema) || fitsSchema(schema, {})),
    [],
  )
})
