import t from 'tap'
import { parseJson } from '../../../../core/base/util/exact-number.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { authOf, openExecuteWorld } from '../../../helpers/execute-world.ts'
import { ANN, BLOG, BLOG_SQL } from './blog.ts'

t.test('the arguments of a mutation reach its function', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const world = await openExecuteWorld(t, test, BLOG)
      const { run } = world

      // proves: mutation.input_style
      await t.test('an input object as one JSON: absent, null and value stay apart', async (t) => {
        const input = async (literal: string) => (await run(`mutation { inputJson(input: ${literal}) }`)).data.inputJson
        t.same(await input('{}'), {})
        t.same(await input('{fullName: null}'), { full_name: null })
        t.same(
          await input('{fullName: "x", state: LIVE, price: "1.10", addresses: [{cityName: "c", state: DRAFT}, null]}'),
          {
            full_name: 'x',
            state: 'live',
            price: '1.10',
            addresses: [{ city_name: 'c', state: 'draft' }, null],
          },
        )
        t.same(await input('{free: {fullName: [1, {cityName: "as it is"}]}}'), {
          free: { fullName: [1, { cityName: 'as it is' }] },
        })
        const { data } = await run('mutation($i: Change!) { inputJson(input: $i) }', {
          i: { fullName: 'v', addresses: [{ cityName: 'c' }] },
        })
        t.same(data.inputJson, { full_name: 'v', addresses: [{ city_name: 'c' }] })
        const inner = await run('mutation($n: String, $s: State) { inputJson(input: {fullName: $n, state: $s}) }', {
          n: 'x',
        })
        t.same(inner.data.inputJson, { full_name: 'x' })
      })

      await t.test('id and input', async (t) => {
        const { data } = await run(`mutation { update(id: "${ANN}", input: {fullName: "n"}) }`)
        t.same(data.update, { id: ANN, input: { full_name: 'n' } })
      })

      // proves: mutation.arguments mutation.input_style input_field.default
      await t.test('a flattened input by name: what is left out has its default', async (t) => {
        const flat = async (literal: string) => (await run(`mutation { flat(input: ${literal}) }`)).data.flat
        t.same(await flat('{name: "n"}'), { name: 'n', age: 42, states: null, address: null, others: null })
        t.same(await flat('{name: "n", age: null}'), {
          name: 'n',
          age: null,
          states: null,
          address: null,
          others: null,
        })
        t.same(
          await flat(
            '{name: "n", age: 1, states: [LIVE, DRAFT], address: {cityName: "c", state: LIVE}, others: [{cityName: "d"}]}',
          ),
          {
            name: 'n',
            age: 1,
            states: ['live', 'draft'],
            address: { city_name: 'c', state: 'live' },
            others: [{ city_name: 'd' }],
          },
        )
        const { data } = await run('mutation($p: Person!, $q: Person!) { a: flat(input: $p) b: flat(input: $q) }', {
          p: { name: 'p' },
          q: { name: 'q', age: 3 },
        })
        t.same([data.a.age, data.b.age], [42, 3])
      })

      await t.test('numbers that no double holds reach a function and come back', async (t) => {
        const numbers = '[12345678901234567890,0.1234567890123456789,1.5]'
        const { text } = await run('mutation ($v: JSON) { json(value: $v) }', parseJson(`{"v": ${numbers}}`) as never)
        t.equal(text?.replaceAll(' ', ''), `{"json":${numbers}}`)
        t.equal((await run(`mutation { json(value: ${numbers}) }`)).text?.replaceAll(' ', ''), `{"json":${numbers}}`)
        const input = '{"input": {"free": {"n": 12345678901234567890}, "price": 0.1234567890123456789}}'
        t.match(
          (await run('mutation ($input: Change!) { inputJson(input: $input) }', parseJson(input) as never)).text,
          /12345678901234567890.*0\.1234567890123456789|0\.1234567890123456789.*12345678901234567890/,
        )
      })

      // proves: mutation.call
      await t.test('by position, up to the last that is given', async (t) => {
        t.same((await run(`mutation { positional(id: "${ANN}", title: "t") }`)).data.positional, [ANN, 't', 7])
        t.same((await run(`mutation { positional(id: "${ANN}", title: "t", size: 1) }`)).data.positional, [ANN, 't', 1])
        t.same((await run(`mutation { positional(id: "${ANN}", title: "t", size: null) }`)).data.positional, [
          ANN,
          't',
          null,
        ])
        const swapped = await run('mutation { swapped(second: "a", first: "b") }')
        t.same(swapped.data.swapped, ['a', 'b'], 'in declared order, whatever the parameters are called')
      })

      // proves: mutation.input_style
      await t.test('the style says which of two ways is taken', async (t) => {
        const { data, errors } = await run(`mutation {
          anyStyle(input: { name: "n" }) flatStyle(input: { name: "n" }) anyValues(name: "n") jsonValues(name: "n")
        }`)
        t.same(errors, [])
        t.same(data, {
          anyStyle: [null, { name: 'n' }],
          flatStyle: ['n', null],
          anyValues: ['n'],
          jsonValues: [{ name: 'n' }],
        })
      })

      await t.test('one operation with and without an optional argument', async (t) => {
        const document = `mutation($s: String) { createPost(authorId: "${ANN}", title: "opt", spelling: $s) { title viewCount } }`
        const operation = (variables: Record<string, unknown>) => world.operation(document, variables)
        const [without, given] = [operation({}), operation({ s: 'camel' })]
        for (const each of [without, given, { ...without, variables: given.variables }, { ...given, variables: {} }]) {
          t.equal((await world.resolve(each)).data, '{"createPost":{"title":"opt","viewCount":0}}')
        }
      })

      await t.test('lists of lists', async (t) => {
        t.same((await run('mutation { matrix(rows: [[1, 2], [3, 4]]) }')).data.matrix, [
          [1, 2],
          [3, 4],
        ])
      })

      // proves: mutation.inject
      await t.test('injected claims: present, missing, null, anonymous', async (t) => {
        const call = 'mutation { whoami(text: "t") }'
        const whole = { sub: 'u1', groups: ['a', 'b'], extra: { x: [1] } }
        t.same((await run(call, {}, authOf(whole))).data.whoami, {
          text: 't',
          user: 'u1',
          groups: ['a', 'b'],
          extra: { x: [1] },
        })
        const { sub: _, ...noSub } = whole
        t.equal((await run(call, {}, authOf(noSub))).data.whoami.user, 'user')
        t.equal((await run(call, {}, authOf({ ...whole, sub: 42 }))).data.whoami.user, '42')
        for (const groups of [undefined, null]) {
          const { data, errors } = await run(call, {}, authOf({ ...whole, groups }))
          t.same([data, errors[0]?.code, errors[0]?.path], [{ whoami: null }, 'FORBIDDEN', ['whoami']])
        }
        const dotted = await world.run('mutation { tenant }', {}, authOf({ org: { id: 'o1' } }))
        t.same(dotted.data.tenant, { text: 'o1', user: null, groups: null, extra: null })
        const anonymous = await run(call)
        t.same([anonymous.data, anonymous.errors[0]?.code], [{ whoami: null }, 'UNAUTHENTICATED'])
        t.equal(
          (await run(call, {}, authOf({ ...whole, sub: "x'; DROP TABLE tb_post; --" }))).data.whoami.user,
          "x'; DROP TABLE tb_post; --",
        )
      })

      await t.test('values and keys never become SQL', async (t) => {
        const nasty = [
          `'); DROP TABLE tb_post; --`,
          '$1',
          '\\',
          '"',
          "''",
          '\u2028',
          '{}',
          'null',
          '😀',
          '%',
          '"; --',
          "\\'",
        ]
        for (const text of nasty) {
          const { data, errors } = await run(
            `mutation($t: String!) { createPost(authorId: "${ANN}", title: $t) { title } }`,
            { t: text },
          )
          t.same(errors, [])
          t.equal(data.createPost.title, text)
          t.same((await run('mutation($v: JSON) { json(value: $v) }', { v: { [text]: text } })).data.json, {
            [text]: text,
          })
          t.same((await run('mutation($v: [String!]!) { setof(titles: $v) { title } }', { v: [text] })).data.setof, [
            { title: text },
          ])
        }
        t.same(
          (await run('mutation($v: JSON) { json(value: $v) }', { v: JSON.parse('{"__proto__": {"x": 1}}') })).text,
          '{"json":{"__proto__": {"x": 1}}}',
        )
        t.ok(Number((await world.look('SELECT count(*) FROM tb_post'))[0]?.[0]) > nasty.length)
      })

      await t.test('a value that its parameter cannot hold', async (t) => {
        const { data, errors } = await run('mutation { tryPost(authorId: "no uuid", title: "x") { title } }')
        t.same([data, errors[0]?.code], [{ tryPost: null }, 'BAD_USER_INPUT'])
        t.notMatch(errors[0]!.message, /SELECT|fn_create/)
      })

      await t.test('many at once', async (t) => {
        const document = `mutation($t: String!) { createPost(authorId: "${ANN}", title: $t) { title author { name } } tryPost(authorId: "${ANN}", title: $t) { title } }`
        const titles = Array.from({ length: 40 }, (_, n) => `many ${n}`)
        const answers = await Promise.all(titles.map((title) => run(document, { t: title })))
        for (const [n, { data, errors }] of answers.entries()) {
          t.same(errors, [])
          t.same(data, { createPost: { title: titles[n], author: { name: 'Ann' } }, tryPost: { title: titles[n] } })
        }
        t.same(await world.look(`SELECT count(*), count(DISTINCT title) FROM tb_post WHERE title LIKE 'many %'`), [
          ['80', '40'],
        ])
      })
    },
    { sql: BLOG_SQL },
  ),
)
