import { parseValue } from 'graphql'
import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { rootShape } from '../../../core/engine/execute/read/shape.ts'
import { complete } from '../../../core/engine/json/complete.ts'
import { type ScalarShape, shapeOf } from '../../../core/schema/input-shape.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import type { CustomScalarCodec, ObjectType, ScalarType } from '../../../core/schema/model.ts'
import { readLiteral } from '../../../plugins/graphql/types/read-literal.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

/** A scalar with functions of its own. */
function scalar(codec: CustomScalarCodec, base = 'String') {
  const compiled = compileArtifact(
    tableSchema(
      { name: 'A', sql_source: 'v_a', list: 'as', fields: { id: 'ID!', own: 'Own' } },
      { custom_scalars: [{ name: 'Own', base_type: base }] },
    ),
    null,
  )
  const model = linkSchema(compiled, { codecs: new Map([['Own', codec]]) })
  const type = model.types.get('Own') as ScalarType
  const shape = shapeOf(type) as ScalarShape
  const field = (model.types.get('A') as ObjectType).fields.get('own')!
  return {
    parse: shape.parse,
    literal: (text: string) => readLiteral(shape, parseValue(text)),
    write(stored: string) {
      const selection = {
        kind: 'object',
        type: model.types.get('A'),
        fields: [{ kind: 'field', responseKey: 'own', field, selection: null, location: null, arguments: [] }],
      }
      const root = {
        kind: 'operation',
        operation: { type: field.type, named: model.types.get('A') },
        selection,
        location: null,
      }
      const shaped = rootShape(root as never, 'Query')
      const { text, errors } = complete(`{"own":${stored}}`, { ...shaped, place: 'A' }, ['as'])
      return { text, errors }
    },
  }
}

t.test('parse: gets what the client sent, and gives a value of the base', async (t) => {
  const { parse, literal } = scalar({ parse: (value) => String(value).toUpperCase() })
  t.equal(parse('ab'), 'AB')
  t.equal(literal('"ab"'), 'AB', 'a literal comes by the same function')
  t.throws(
    () => scalar({ parse: () => 5 }).parse('x'),
    /Expected type "Own"\. String cannot represent a non string value: 5/,
  )
  t.throws(() => scalar({ parse: () => undefined }).parse('x'), /Expected type "Own"\./)
  const strict = scalar({
    parse() {
      throw new Error('Own wants a prime')
    },
  })
  t.throws(() => strict.parse(4), { message: 'Expected type "Own". Own wants a prime' })
  const rude = scalar({
    parse() {
      throw 'no'
    },
  })
  t.throws(() => rude.parse(4), { message: 'Expected type "Own". no' })
})

t.test('a function that returns a promise is an error, and its rejection is handled', async (t) => {
  const { parse } = scalar({ parse: async () => Promise.reject(new Error('late')) })
  t.throws(() => parse('x'), {
    message: 'Expected type "Own". parse of the scalar Own gave a promise; it has to answer at once',
  })
  const literal = scalar({ parseLiteral: async () => 'x' })
  t.throws(() => literal.literal('"x"'), /parse_literal of the scalar Own gave a promise/)
  const { text, errors } = scalar({ serialize: async () => 'x' }).write('"a"')
  t.equal(text, '{"own":null}')
  t.match(errors, [
    { code: 'INTERNAL_SERVER_ERROR', message: 'The custom scalar of A.own cannot write the stored value.' },
  ])
  t.match((errors[0]!.cause as Error).message, /serialize of the scalar Own gave a promise/)
})

t.test('parse_literal: gets the syntax tree, and is held to the base', async (t) => {
  const own = scalar({ parseLiteral: (ast) => `${(ast as { kind: string }).kind}` })
  t.equal(own.literal('5'), 'IntValue')
  t.equal(own.parse('plain'), 'plain', 'variables come by parse, which is the base here')
  t.throws(() => scalar({ parseLiteral: () => 5 }).literal('"x"'), /Expected type "Own"\. String cannot represent/)
  t.throws(() => scalar({ parseLiteral: () => 'x' }, 'Int').literal('1'), /Expected type "Own"\. Int cannot represent/)
})

t.test('serialize: gets the stored value, what it throws is the error of its field', async (t) => {
  t.equal(scalar({ serialize: (value) => ({ was: value }) }).write('"a"').text, '{"own":{"was":"a"}}')
  t.equal(scalar({ serialize: () => undefined }).write('"a"').text, '{"own":null}')
  const own = scalar({
    serialize() {
      throw new SvcError('CONFLICT', 'Not now.')
    },
  }).write('"a"')
  t.match(own, { text: '{"own":null}', errors: [{ code: 'CONFLICT', message: 'Not now.', path: [/^as$/, 'own'] }] })
  const bug = scalar({
    serialize() {
      throw new Error('secret')
    },
  }).write('"a"')
  t.notMatch(bug.errors[0]!.message, /secret/)
})

t.test(
  'rules and an expression in the artifact: what breaks them is refused, what cannot be decided too',
  async (t) => {
    const shapeWith = (scalar: object, codec?: CustomScalarCodec) => {
      const compiled = compileArtifact(
        { version: '1', custom_scalars: [{ name: 'Own', ...scalar }], types: [], queries: [] },
        null,
      )
      const model = linkSchema(JSON.parse(JSON.stringify(compiled)), {
        codecs: codec === undefined ? new Map() : new Map([['Own', codec]]),
      })
      return shapeOf(model.types.get('Own')!) as ScalarShape
    }
    const both = shapeWith({ validation_rules: [{ pattern: '^[A-Z]+$' }], elo_expression: "value != 'NO'" })
    t.equal(both.parse('YES'), 'YES')
    t.throws(() => both.parse('yes'), /Expected type "Own"\. "yes" is no Own: Must match pattern$/)
    t.throws(() => both.parse('NO'), /"NO" is no Own: Must fulfil value != 'NO'$/)
    t.throws(() => both.parse(5), /String cannot represent/, 'the base is asked first')
    const nested = shapeWith({
      validation_rules: { any: [{ enum: ['a'] }, { all: [{ min_length: 3 }, { pattern: 'x' }] }] },
    })
    for (const fine of ['a', 'xyz']) t.equal(nested.parse(fine), fine)
    for (const bad of ['b', 'abc', 'x']) t.throws(() => nested.parse(bad), /At least one rule must pass/, bad)
    const undecided = shapeWith({ elo_expression: 'value + 1 > 0' })
    t.throws(() => undecided.parse('text'), /is no Own: Must fulfil/)
    const parsed = shapeWith(
      { validation_rules: { length: { max: 2 } } },
      { parse: (value) => String(value).trim(), parseLiteral: () => 'long' },
    )
    t.equal(parsed.parse('  ab  '), 'ab', 'the rules see what parse gave')
    t.throws(() => readLiteral(parsed, parseValue('"x"')), /"long" is no Own: Length at most 2/)
  },
)

t.test('a semantic scalar as base gives its rule', async (t) => {
  const { parse, literal } = scalar({}, 'Email')
  t.equal(parse('a@b.de'), 'a@b.de')
  t.throws(() => parse('nobody'), /Expected type "Own"\. Email must be an e-mail address/)
  t.throws(() => literal('"nobody"'), /Email must be/)
  const lower = scalar({ parse: (value) => String(value).toLowerCase() }, 'Email')
  t.equal(lower.parse('A@B.de'), 'a@b.de')
  t.throws(() => lower.parse('NOBODY'), /Email must be/)
})
