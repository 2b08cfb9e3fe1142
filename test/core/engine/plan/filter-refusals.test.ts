import t from 'tap'
import { nodeQueryOf } from '../../../../core/engine/plan/rows/node-root.ts'
import { convertRegex } from '../../../../core/schema/operators/regex-guard.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY, 3)
    const filtered = (where: unknown) =>
      world.text('query($where: BookWhereInput) { books(where: $where, limit: 3) { id } }', { where })

    await t.test('values that cannot be what their place wants', async (t) => {
      const refused: readonly (readonly [unknown, RegExp])[] = [
        [{ id: { _eq: 'nope' } }, /"where.id._eq" of "books": "nope" is not a UUID/],
        [{ id: { _in: [BOOK.alpha, "x' OR '1'='1"] } }, /is not a UUID/],
        [{ title: { _like: 'abc\\' } }, /lone backslash/],
        [{ title: { _regex: '(a+)+' } }, /where.title._regex.*repeats a group/],
        [{ title: { _regex: 'x'.repeat(1001) } }, /longer than 1000 bytes/],
        [{ title: { _regex: '(' } }, /without its \)/],
        [{ pages: { _eq: null } }, /null is no operand of _eq.*_is_null/],
        [{ _and: [{ title: { _contains: null } }] }, /where._and\[0\].title._contains/],
        [{ tags: { _len_eq: null } }, /_is_null/],
        [{ tags: { _is_empty: null } }, /null is no operand of _is_empty\. It takes true or false/],
      ]
      for (const [where, message] of refused) {
        await t.rejects(filtered(where), { code: 'BAD_USER_INPUT', message, path: ['books'] }, JSON.stringify(where))
      }
      await t.rejects(filtered({ title: { _regex: 'a{2,1}' } }), { code: 'BAD_USER_INPUT' }, 'the database refuses it')
      await t.rejects(filtered({ title: { _matches: 'a\\' } }), { code: 'BAD_USER_INPUT', message: /lone backslash/ })
      for (const query of ['a &', 'a <99999> b', '(', ':']) {
        const refusal = { code: 'BAD_USER_INPUT', message: /_websearch_query/ }
        await t.rejects(filtered({ title: { _matches: query } }), refusal, query.slice(0, 20))
      }
      for (const operator of ['_matches', '_plain_query', '_phrase_query', '_websearch_query']) {
        const where = (words: number) => ({ title: { [operator]: 'é '.repeat(words).trimEnd() } })
        const refusal = { code: 'BAD_USER_INPUT', message: /longer than 4000 bytes/ }
        await t.rejects(filtered(where(1334)), refusal, `${operator}: 4,001 bytes`)
        if (operator !== '_matches') await t.resolves(filtered(where(1333)), `${operator}: 3,998 bytes`)
      }
    })

    await t.test('a null inside a filter is refused, with its place', async (t) => {
      const refused: readonly (readonly [unknown, string])[] = [
        [{ title: null }, 'where.title'],
        [{ shelf: null }, 'where.shelf'],
        [{ shelf: { books: null } }, 'where.shelf.books'],
        [{ shelf: { books: { some: null } } }, 'where.shelf.books.some'],
        [{ shelf: { books: { every: { title: null } } } }, 'where.shelf.books.every.title'],
        [{ _not: null }, 'where._not'],
        [{ _and: null }, 'where._and'],
        [{ _or: null }, 'where._or'],
        [{ _or: [{ title: { _eq: 'x' } }, { shelf: null }] }, 'where._or[1].shelf'],
        [{ _not: { title: null } }, 'where._not.title'],
      ]
      for (const [where, place] of refused) {
        const message = `Argument "${place}" of "books": null is no condition. Use _is_null to look for nulls, or leave the member out.`
        const error = { code: 'BAD_USER_INPUT', message, path: ['books'], details: { argument: place } }
        await t.rejects(filtered(where), error, place)
      }
      const literal = world.run(
        '{ books(where: { _or: [{ title: { _eq: "x" } }, { shelf: null }] }, limit: 3) { id } }',
      )
      await t.rejects(literal, { code: 'BAD_USER_INPUT', message: /"where\._or\[1\]\.shelf".*_is_null/ })
    })

    await t.test('a variable that is not provided leaves its member out; one that is null is refused', async (t) => {
      const query =
        'query($s: ShelfWhereInput, $t: StringFilter) { books(where: { _not: { shelf: $s, title: $t } }, limit: 3) { id } }'
      // The document is planned for both forms, in either order.
      t.strictSame((await world.run(query, {})).books, [], '{ _not: {} } holds for no row')
      await t.rejects(world.run(query, { s: null }), { code: 'BAD_USER_INPUT', message: /"where\._not\.shelf"/ })
      await t.rejects(world.run(query, { t: null }), { code: 'BAD_USER_INPUT', message: /"where\._not\.title"/ })
      t.strictSame((await world.run(query, {})).books, [])
    })

    await t.test('null and absent are no filter where a whole filter is meant', async (t) => {
      const query =
        'query($where: BookWhereInput, $title: StringFilter, $p: Int) { books(where: $where, limit: 3) { id } a: books(where: { title: $title }, limit: 3) { id } b: books(where: { pages: { _eq: $p } }, limit: 3) { id } }'
      for (const variables of [{}, { where: null }, { where: {}, title: {} }]) {
        const { books, a, b } = await world.run(query, variables)
        t.strictSame([books.length, a.length, b.length], [3, 3, 3])
      }
      await t.rejects(world.run(query, { p: null }), { code: 'BAD_USER_INPUT' })
      t.equal((await world.run(query, { p: 250 })).b.length, 1)
    })

    await t.test('empty _and is true, empty _or is false', async (t) => {
      t.match(JSON.parse(await filtered({ _and: [] })).books.length, 3)
      t.match(JSON.parse(await filtered({ _or: [] })).books.length, 0)
      t.match(JSON.parse(await filtered({ _not: { _or: [] } })).books.length, 3)
      t.match(JSON.parse(await filtered({ _or: [{}, { title: { _eq: 'x' } }] })).books.length, 3)
    })

    await t.test('filters that are too deep or too long', async (t) => {
      let deep: object = { title: { _eq: 'x' } }
      for (let i = 0; i < 70; i++) deep = { _not: deep }
      await t.rejects(filtered(deep), { message: /Objects are nested deeper than 64 levels/ })
      const long = { _or: Array.from({ length: 1001 }, () => ({ pages: { _eq: 1 } })) }
      await t.rejects(filtered(long), { code: 'VALIDATION_ERROR', message: /1000 conditions/ })
    })

    await t.test('values from a client never become SQL', async (t) => {
      const hostile = [`'; DROP TABLE tb_book; --`, `" OR 1=1 --`, '$1', '{user}', '%', `E'\\'`, '\u2028</script>']
      for (const value of hostile) {
        const { books } = await world.run(
          `query($v: String!) { books(where: { _or: [{ title: { _eq: $v } }, { title: { _contains: $v } }, { extra: { _has_key: $v } },
            { tags: { _has_any: [$v] } }] }, limit: 3) { id } }`,
          { v: value },
        )
        t.strictSame(books, value === '%' ? [{ id: BOOK.alpha }] : [])
        const prepared = world.prepare('query($v: String!) { books(where: { title: { _eq: $v } }) { id } }', {
          v: value,
        })
        t.notOk(value.length > 2 && prepared.statement?.text.includes(value))
        const inline = await world.run(
          `{ books(where: { title: { _eq: ${JSON.stringify(value)} } }, limit: 1) { id } }`,
        )
        t.strictSame(inline.books, [])
      }
      t.equal((await world.run('{ countedBooks { totalCount } }')).countedBooks.totalCount, 4)
    })
    t.equal(nodeQueryOf(world.model, world.model.relayTypes[1]!)?.wireName, 'book')
  },
  { sql: LIBRARY_SQL },
)

t.test('regular expressions', (t) => {
  for (const fine of [
    '^a+b*$',
    '(ab)+',
    '(a|b){2}',
    '[(+*)]+',
    'a\\(+',
    '((a+)b)?',
    '[]a]+',
    '[[:alpha:]+]+',
    '(?:a)+',
    '(a{1})*',
    '(a?)+',
    '(\\u{1F600})+',
    '(\\x41)+',
    '\\d{3}-\\d{4}',
    '[\\1]',
    'a\\\\1',
    '(?i)straße',
    '(?=a)b',
    'a(?!b{0,50})',
    '^(?=.*\\d)(?!.*\\s).{8,}$',
    '(?<!x)y',
    '(?<name>a)',
    '\\w{1,255}@\\w{1,255}',
    'a{0,255}b{0,255}',
    '(?:x?){200}',
    '{',
    'a{,2}',
  ]) {
    t.equal(convertRegex(fine), fine)
  }
  for (const bad of [
    // References back take exponential time.
    '^(a*)(a*)\\1\\2$',
    '(?<n>a)\\k<n>',
    '(?:(.*)\\1|b)+',
    // Written out, these are large.
    '(?:x?){250}(?:x?){250}',
    `(${'x?'.repeat(400)}){4}`,
    `(|x|y){255}`.repeat(4),
    'x?'.repeat(490),
    '(?:a{0,255}|b){1}'.repeat(40),
    // Looked for at each character.
    '(?=.*a)b',
    'x(?!.{0,200}b)(?=.{0,200}c)',
    'b|(?<=a.*)c',
    '(?w)^(?=.*a)b',
    '(?:^(?=.*a))*',
    '(?=a(?=b))',
    // Other languages, in which the same signs say something else.
    '***=a',
    '***:(a+) +',
    '(?x)(a+) +',
    '(?b)\\(a\\{1,9\\}\\)\\{9\\}',
    '(?ie)a',
    '(a+)(?#)+',
    '(?',
    '(?>a)',
    '(a+)+',
    '(a*)*',
    '((a+)b)*',
    '(a|b+){2,}',
    '(.*x){10}',
    '(?:a+)+',
    '([a-z]+)*',
    '(a{2,})*',
    ')',
    '[a',
    'a\\',
    '[[:x',
  ]) {
    t.throws(() => convertRegex(bad), /^the regular expression /, bad)
  }
  t.end()
})
