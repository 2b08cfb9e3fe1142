import fc from 'fast-check'
import t from 'tap'
import { complete } from '../../../../core/engine/json/complete.ts'
import { readItems, readMembers, stringOf, writeMembers } from '../../../../core/engine/json/json-text.ts'
import type { MemberShape, ValueShape } from '../../../../core/engine/json/value-shape.ts'

const leaf = (nullable: boolean): ValueShape => ({
  nullable,
  items: null,
  members: null,
  leaf: null,
  serialize: null,
  masks: null,
})
const object = (nullable: boolean, members: Record<string, ValueShape>): ValueShape => ({
  ...leaf(nullable),
  members: new Map(
    Object.entries(members).map(([key, shape]): [string, MemberShape] => [
      key,
      { place: `T.${key}`, shape, locations: [{ line: 1, column: 2 }] },
    ]),
  ),
})
const list = (nullable: boolean, items: ValueShape): ValueShape => ({ ...leaf(nullable), items })
const at = (shape: ValueShape): MemberShape => ({ place: 'Query.root', shape, locations: undefined })

t.test('a null in its place leaves the text as it is', async (t) => {
  const shape = object(true, { id: leaf(false), name: leaf(true) })
  t.same(complete('{"id":1,"name":null}', at(shape), []), { text: '{"id":1,"name":null}', errors: [] })
})

t.test('a null climbs to the nearest place that may be null, with path, place and code', async (t) => {
  const shape = object(true, {
    rows: list(false, object(true, { id: leaf(false) })),
    strict: list(true, object(false, { id: leaf(false) })),
  })
  const text = '{"rows":[{"id":1}, \n {"id":null}],"strict":[{"id":null},{"id":2}]}'
  const { text: result, errors } = complete(text, at(shape), ['root'])
  t.equal(result, '{"rows":[{"id":1},null],"strict":null}')
  t.same(
    errors.map((error) => [error.code, error.message, error.path, error.locations]),
    [
      [
        'INTERNAL_SERVER_ERROR',
        'Cannot return null for non-nullable field T.id.',
        ['root', 'rows', 1, 'id'],
        [{ line: 1, column: 2 }],
      ],
      [
        'INTERNAL_SERVER_ERROR',
        'Cannot return null for non-nullable field T.id.',
        ['root', 'strict', 0, 'id'],
        [{ line: 1, column: 2 }],
      ],
    ],
  )
})

t.test('of an error in every row the first hundred are reported', async (t) => {
  const shape = list(true, object(true, { id: leaf(false) }))
  const { text, errors } = complete(`[${Array(5000).fill('{"id":null}')}]`, at(shape), ['root'])
  t.equal(text, `[${Array(5000).fill('null')}]`)
  t.equal(errors.length, 101)
  t.same(errors[99]?.path, ['root', 99, 'id'])
  t.match(errors[100], { message: /^More than 100 values are null/, path: ['root', 100, /^id$/] })
})

t.test('a null that nothing stops takes the whole value', async (t) => {
  const { text, errors } = complete('{"a":{"b":null}}', at(object(false, { a: object(false, { b: leaf(false) }) })), [])
  t.equal(text, null)
  t.equal(errors.length, 1)
})

t.test('an item that may not be null takes its list', async (t) => {
  const { text, errors } = complete('{"a":[1,null,3]}', at(object(false, { a: list(true, leaf(false)) })), [])
  t.equal(text, '{"a":null}')
  t.same(errors[0]?.path, ['a', 1])
})

t.test('numbers keep every digit', async (t) => {
  const numbers = ['1e400', '1.10', '-0', '9223372036854775807', '0.1000000000000000055', '1E-7']
  const text = `{${numbers.map((n, i) => `"n${i}":${n}`).join(', ')}, "x": null}`
  const members = Object.fromEntries(numbers.map((_, i) => [`n${i}`, leaf(false)]))
  const { text: result } = complete(text, at(object(true, { ...members, x: object(true, {}) })), [])
  t.equal(result, `{${numbers.map((n, i) => `"n${i}":${n}`).join(',')},"x":null}`)
})

t.test('text that looks like JSON inside a string is not walked', async (t) => {
  const value = '}],{"id":null}\\"'
  const { text, errors } = complete(`{"id":${JSON.stringify(value)}}`, at(object(true, { id: leaf(false) })), [])
  t.equal(text, `{"id":${JSON.stringify(value)}}`)
  t.same(errors, [])
})

t.test('a custom scalar writes its own wire form; one that throws is an error at its place', async (t) => {
  const upper: ValueShape = { ...leaf(true), serialize: (value) => String(value).toUpperCase() }
  const broken: ValueShape = {
    ...leaf(true),
    serialize: () => {
      throw new Error('secret')
    },
  }
  const nothing: ValueShape = { ...leaf(false), serialize: () => undefined }
  const shape = object(true, { a: upper, b: list(true, upper), c: broken, d: object(true, { e: nothing }) })
  const { text, errors } = complete('{"a":"x","b":["y",null],"c":"z","d":{"e":1}}', at(shape), [])
  t.equal(text, '{"a":"X","b":["Y",null],"c":null,"d":null}')
  t.same(
    errors.map((error) => [error.message, error.path]),
    [
      ['The custom scalar of T.c cannot write the stored value.', ['c']],
      ['Cannot return null for non-nullable field T.e.', ['d', 'e']],
    ],
  )
})

t.test('property: any JSON passes through with its meaning', async (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value, null, 1)
      t.same(JSON.parse(complete(text, at(object(true, {})), []).text ?? ''), JSON.parse(text))
      const members = readMembers(text)
      t.same(JSON.parse(writeMembers(members)), JSON.parse(text))
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (value) => {
      t.same(
        readItems(JSON.stringify(value, null, 1)).map((item) => JSON.parse(item)),
        JSON.parse(JSON.stringify(value)),
      )
    }),
  )
  t.equal(stringOf('"a\\nb"'), 'a\nb')
  t.equal(stringOf('1'), null)
  t.equal(stringOf(undefined), null)
})
