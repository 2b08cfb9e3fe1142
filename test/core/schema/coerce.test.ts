import fc from 'fast-check'
import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { coerceInput, compileCoercer } from '../../../core/schema/coerce.ts'
import { builtinShape, type ObjectShape, shapeOf } from '../../../core/schema/input-shape.ts'
import type { EnumType, InputFieldModel, InputType, NamedType, ScalarType } from '../../../core/schema/model.ts'
import { parseTypeRef, type TypeRef } from '../../../core/schema/type-ref.ts'

const ref = (text: string): TypeRef => {
  const parsed = parseTypeRef(text)
  if (parsed === null) throw new Error(text)
  return parsed
}
const scalar = (name: string): ScalarType => ({
  kind: 'scalar',
  name,
  description: undefined,
  specifiedByUrl: undefined,
  base: name,
  custom: false,
  codec: null,
})
const color: EnumType = {
  kind: 'enum',
  name: 'Color',
  description: undefined,
  values: ['RED', 'GREEN'].map((name) => ({
    name,
    value: name.toLowerCase(),
    description: undefined,
    deprecated: undefined,
  })),
  toValue: new Map(),
  toName: new Map(),
}
const field = (name: string, type: string, named: NamedType, byDefault?: unknown): InputFieldModel => ({
  name,
  wireName: name,
  type: ref(type),
  named,
  description: undefined,
  deprecated: undefined,
  default: byDefault,
  rules: [],
})
const fields = new Map<string, InputFieldModel>()
const person: InputType = { kind: 'input', name: 'Person', description: undefined, rules: [], fields }
for (const each of [
  field('name', 'String!', scalar('String')),
  field('age', 'Int', scalar('Int')),
  field('color', 'Color', color, 'RED'),
  field('tags', '[String!]', scalar('String')),
  field('friends', '[Person!]', person),
  field('constructor', 'Int', scalar('Int')),
]) {
  fields.set(each.wireName, each)
}

function refuse(type: string, named: NamedType, value: unknown): unknown {
  try {
    return coerceInput(ref(type), named, value, ['input'])
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return [error.code, error.message, error.details]
  }
}

t.test('good values', (t) => {
  t.equal(coerceInput(ref('Int'), scalar('Int'), null, ['n']), null)
  t.strictSame(coerceInput(ref('[Int!]!'), scalar('Int'), [1, 2], ['n']), [1, 2])
  t.strictSame(coerceInput(ref('[Int!]!'), scalar('Int'), 1, ['n']), [1], 'a single value is a list of one')
  t.strictSame(coerceInput(ref('[[Int]]'), scalar('Int'), [1, [2, null], null], ['n']), [[1], [2, null], null])
  t.equal(coerceInput(ref('Color!'), color, 'GREEN', ['c']), 'GREEN')
  t.strictSame(coerceInput(ref('Person'), person, { name: 'Ann', constructor: 3 }, ['input']), {
    name: 'Ann',
    constructor: 3,
    color: 'RED',
  })
  t.strictSame(coerceInput(ref('Person'), person, { name: 'Ann', color: null, friends: { name: 'Bob' } }, ['input']), {
    name: 'Ann',
    color: null,
    friends: [{ name: 'Bob', color: 'RED' }],
  })
  t.end()
})

const cases: readonly [string, string, NamedType, unknown, string, readonly (string | number)[]][] = [
  [
    'wrong scalar',
    'Int',
    scalar('Int'),
    'x',
    'Argument "input" got invalid value "x"; Int cannot represent non-integer value: "x"',
    ['input'],
  ],
  [
    'null for non-null',
    'Int!',
    scalar('Int'),
    null,
    'Argument "input" got invalid value null; Expected non-nullable type "Int!" not to be null.',
    ['input'],
  ],
  [
    'item of a list',
    '[Int!]',
    scalar('Int'),
    [1, null],
    'Argument "input" got invalid value null at "input[1]"; Expected non-nullable type "Int!" not to be null.',
    ['input', 1],
  ],
  [
    'no object',
    'Person',
    person,
    'Ann',
    'Argument "input" got invalid value "Ann"; Expected type "Person" to be an object.',
    ['input'],
  ],
  [
    'a list for an object',
    'Person',
    person,
    [],
    'Argument "input" got invalid value []; Expected type "Person" to be an object.',
    ['input'],
  ],
  [
    'missing field',
    'Person',
    person,
    { age: 1 },
    'Argument "input" got invalid value {"age":1}; Field "name" of required type "String!" was not provided.',
    ['input'],
  ],
  [
    'unknown field',
    'Person',
    person,
    { nam: 'x' },
    'Argument "input" got invalid value {"nam":"x"}; Field "nam" is not defined by type "Person". Did you mean "name"?',
    ['input'],
  ],
  [
    'wrong field',
    'Person',
    person,
    { name: 'x', age: 'y' },
    'Argument "input" got invalid value "y" at "input.age"; Int cannot represent non-integer value: "y"',
    ['input', 'age'],
  ],
  [
    'deep place',
    'Person',
    person,
    { name: 'x', friends: [{ name: 'y', tags: ['a', 5] }] },
    'Argument "input" got invalid value 5 at "input.friends[0].tags[1]"; String cannot represent a non string value: 5',
    ['input', 'friends', 0, 'tags', 1],
  ],
  [
    'enum by wire name',
    'Color',
    color,
    'GREN',
    'Argument "input" got invalid value "GREN"; Value "GREN" does not exist in "Color" enum. Did you mean "GREEN"?',
    ['input'],
  ],
  [
    'SQL value of an enum',
    'Color',
    color,
    'a long one',
    'Argument "input" got invalid value "a long one"; Value "a long one" does not exist in "Color" enum.',
    ['input'],
  ],
  [
    'no string for an enum',
    'Color',
    color,
    1,
    'Argument "input" got invalid value 1; Enum "Color" cannot represent non-string value: 1.',
    ['input'],
  ],
]
for (const [name, type, named, value, message, path] of cases) {
  t.test(name, (t) => {
    t.strictSame(refuse(type, named, value), ['BAD_USER_INPUT', message, { path }])
    t.end()
  })
}

t.test('a key called __proto__ is an unknown field, not a prototype', (t) => {
  const value: unknown = JSON.parse('{"name":"x","__proto__":{"age":1}}')
  t.match(refuse('Person', person, value), ['BAD_USER_INPUT', /Field "__proto__" is not defined by type "Person"/])
  t.end()
})

t.test('inherited names are not taken for given ones', (t) => {
  const type: InputType = {
    ...person,
    name: 'Odd',
    fields: new Map([['toString', field('toString', 'Int!', scalar('Int'))]]),
  }
  t.match(refuse('Odd', type, {}), ['BAD_USER_INPUT', /Field "toString" of required type "Int!" was not provided/])
  t.end()
})

t.test('objects nested without end are refused, and the next value is read as before', (t) => {
  let value: unknown = { name: 'x' }
  for (let i = 0; i < 100_000; i++) value = { name: 'x', friends: [value] }
  t.match(refuse('Person', person, value), ['BAD_USER_INPUT', /Objects are nested deeper than 64 levels\.$/])
  t.same(coerceInput(ref('Person'), person, { name: 'x' }, ['input']), { name: 'x', color: 'RED' })
  t.end()
})

t.test('a oneOf object has exactly one key', (t) => {
  const shape: ObjectShape = {
    kind: 'object',
    name: 'Sort',
    description: undefined,
    oneOf: true,
    fields: () =>
      new Map(
        ['a', 'b'].map((name) => [
          name,
          {
            name,
            type: ref('Int'),
            shape: builtinShape('Int'),
            description: undefined,
            deprecated: undefined,
            default: undefined,
          },
        ]),
      ),
  }
  const coerce = compileCoercer(ref('Sort'), shape)
  t.strictSame(coerce({ b: 1 }), { b: 1 })
  t.throws(() => coerce({}), { message: 'Exactly one key must be specified for OneOf type "Sort".' })
  t.throws(() => coerce({ a: 1, b: 2 }), { message: 'Exactly one key must be specified for OneOf type "Sort".' })
  t.throws(() => coerce({ a: null }), { message: 'Field "a" must be non-null.' })
  t.end()
})

t.test('custom scalars: the message names the type; literals go to parse_literal', (t) => {
  const isbn: ScalarType = {
    ...scalar('String'),
    name: 'Isbn',
    custom: true,
    codec: {
      parse() {
        throw 'no number'
      },
      parseLiteral: (ast) => ast,
    },
  }
  t.match(refuse('Isbn', isbn, 'x'), [
    'BAD_USER_INPUT',
    'Argument "input" got invalid value "x"; Expected type "Isbn". no number',
  ])
  const shape = shapeOf(isbn)
  t.equal(shape, shapeOf(isbn), 'made once')
  t.equal(shape.kind === 'scalar' && shape.parseLiteral?.('ast'), 'ast')
  t.end()
})

t.test('an output type has no shape', (t) => {
  t.throws(() => shapeOf({ kind: 'union', name: 'Hit' } as NamedType), { message: 'Hit is no input type' })
  t.throws(() => builtinShape('Nope'), { message: 'Nope is no built-in scalar' })
  t.end()
})

t.test('any JSON gives a value or BAD_USER_INPUT', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const result = refuse('[Person!]', person, value)
      return result === null || Array.isArray(result)
    }),
  )
  t.end()
})
