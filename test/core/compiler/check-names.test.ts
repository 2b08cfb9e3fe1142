import t from 'tap'
import { at, faultsOf } from '../../helpers/compile-faults.ts'

const field = (name: string, line = 2) => ({ name, type: 'String', ...at(line, 5) })
const type = (name: string, line: number, more: object = {}) => ({
  name,
  fields: [field('a', line + 1)],
  ...at(line),
  ...more,
})

// proves: error.invalid-name
t.test('names that are no names', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [
      type('1st', 1),
      type('__Hidden', 3),
      { ...type('Ok', 5), fields: [field('first-name', 6), field('__x', 7), field('_eq', 8), field('_and', 8)] },
    ],
    enums: [{ name: 'Mood', values: [{ name: 'true' }, { name: 'so so' }], ...at(9) }],
  })
  t.strictSame(faults, [
    '1:3 invalid-name: Type "1st" is no name: letters, digits and _ only, and no digit first.',
    '3:3 invalid-name: Type "__Hidden": names that begin with __ are reserved by GraphQL.',
    '6:5 invalid-name: Ok: field "first-name" is no name: letters, digits and _ only, and no digit first.',
    '7:5 invalid-name: Ok: field "__x": names that begin with __ are reserved by GraphQL.',
    '8:5 generated-name: Ok: field "_eq" has the name of a filter operator. Rename it.',
    '8:5 generated-name: Ok: field "_and" has the name of a filter operator. Rename it.',
    '9:3 invalid-name: Mood: value "so so" is no name: letters, digits and _ only, and no digit first.',
    '9:3 invalid-name: Mood: value "true" is a word of GraphQL. Rename it, and keep "true" as its "value".',
  ])
})

// proves: error.duplicate-name
t.test('two of one name, as declared and on the wire', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [
      type('User', 1),
      { ...type('Post', 3), fields: [field('created_at', 4), field('createdAt', 5), field('a', 6), field('a', 7)] },
    ],
    input_types: [{ name: 'User', fields: [field('a', 10)], ...at(9) }],
    custom_scalars: [{ name: 'UUID', ...at(11) }],
    enums: [
      { name: 'Mood', values: [{ name: 'GOOD', value: 'x' }, { name: 'BAD', value: 'x' }, { name: 'BAD' }], ...at(12) },
    ],
    queries: [
      { name: 'all_posts', type: '[Post]', ...at(20) },
      { name: 'allPosts', type: '[Post]', ...at(21) },
    ],
    mutations: [
      { name: 'x', type: 'Post', ...at(22) },
      {
        name: 'x',
        type: 'Post',
        arguments: [
          { name: 'a', type: 'Int' },
          { name: 'a', type: 'Int' },
        ],
        ...at(23),
      },
    ],
  })
  t.strictSame(faults, [
    '5:5 duplicate-name: Post: field "createdAt" and "created_at" are both "createdAt" on the wire. Rename one.',
    '7:5 duplicate-name: Post: field "a" is declared twice.',
    '9:3 duplicate-name: Type "User" is declared twice.',
    '11:3 duplicate-name: "UUID" is a built-in scalar. Choose another name.',
    '12:3 duplicate-name: Mood: value "BAD" is declared twice.',
    '12:3 duplicate-name: Mood: values "GOOD" and "BAD" are both "x" in SQL.',
    '21:3 duplicate-name: Query "allPosts" and "all_posts" are both "allPosts" on the wire. Rename one.',
    '23:3 duplicate-name: Mutation "x" is declared twice.',
    '23:3 duplicate-name: "x": argument "a" is declared twice.',
  ])
})

// proves: error.generated-name
t.test('names that svc generates', async (t) => {
  const relay = { relay: true, fields: [{ name: 'id', type: 'ID!' }] }
  const faults = faultsOf({
    version: '1',
    types: [
      { name: 'Post', sql_source: 'v_post', ...relay, ...at(1) },
      type('PostConnection', 2),
      type('PostEdge', 3),
      type('PageInfo', 4),
      type('Query', 5),
      type('TagList', 6),
      type('Tag', 7),
      type('TagConnection', 8),
    ],
    input_types: [
      'PostWhereInput',
      'PostOrderByInput',
      'StringFilter',
      'MoodFilter',
      'IntArrayFilter',
      'PostListFilter',
    ].map((name, i) => type(name, 10 + i)),
    enums: [{ name: 'Mood', values: [{ name: 'GOOD' }], ...at(20) }],
    interfaces: [type('Node', 21)],
    queries: [
      { name: 'node', type: 'Tag', sql_source: 'v_tag', ...at(30) },
      { name: 'tags', type: '[Tag!]!', sql_source: 'v_tag', auto_params: { total_count: true }, ...at(31) },
    ],
  })
  t.strictSame(faults, [
    '2:3 generated-name: "PostConnection" is the name of the generated connection of Post. Choose another name.',
    '3:3 generated-name: "PostEdge" is the name of the generated edge of Post. Choose another name.',
    '4:3 generated-name: "PageInfo" is the name of the generated page of a connection. Choose another name.',
    '5:3 generated-name: "Query" is the name of the root of all queries. Choose another name.',
    '6:3 generated-name: "TagList" is the name of the generated page of Tag with its totalCount. Choose another name.',
    '10:3 generated-name: "PostWhereInput" is the name of the generated filter of Post. Choose another name.',
    '11:3 generated-name: "PostOrderByInput" is the name of the generated order of Post. Choose another name.',
    '12:3 generated-name: "StringFilter" is the name of the generated filter of String. Choose another name.',
    '13:3 generated-name: "MoodFilter" is the name of the generated filter of Mood. Choose another name.',
    '14:3 generated-name: "IntArrayFilter" is the name of the generated filter of lists of Int. Choose another name.',
    '15:3 generated-name: "PostListFilter" is the name of the generated filter of lists of Post. Choose another name.',
    '21:3 generated-name: "Node" is the name of the generated interface of relay types. Choose another name.',
    '30:3 generated-name: Query "node": "node" is generated, because a type is relay.',
  ])
})
