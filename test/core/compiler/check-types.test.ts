import t from 'tap'
import { at, faultsOf } from '../../helpers/compile-faults.ts'

const type = (name: string, fields: readonly object[], line: number, more: object = {}) => ({
  name,
  fields,
  ...at(line),
  ...more,
})
const field = (name: string, type: string, line: number, more: object = {}) => ({ name, type, ...at(line, 5), ...more })

// proves: error.unknown-type error.type-syntax error.wrong-position error.bad-scalar
t.test('types that are not there, are no types, or stand in the wrong place', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [type('User', [field('posts', '[Pst!]!', 2), field('name', 'String!!', 3), field('in', 'NewUser', 4)], 1)],
    interfaces: [type('Named', [field('x', 'Nothing', 6)], 5)],
    input_types: [
      type('NewUser', [field('author', 'User', 11), field('named', 'Named', 12), field('mood', 'Mod', 13)], 10),
    ],
    unions: [{ name: 'Thing', members: ['User'], ...at(15) }],
    queries: [
      { name: 'user', type: 'Usr', sql_source: 'v_user', arguments: [{ name: 'thing', type: 'Thing' }], ...at(20) },
    ],
    mutations: [{ name: 'save', type: 'NewUser!', ...at(21) }],
    subscriptions: [{ name: 'saved', type: '[User', ...at(22) }],
    custom_scalars: [
      { name: 'Isbn', base_type: 'Strin', ...at(23) },
      { name: 'Ean', base_type: 'Object', ...at(24) },
      { name: 'Sku', module: './sku.ts', ...at(25) },
    ],
  })
  t.strictSame(faults, [
    '2:5 unknown-type: User.posts: there is no type "Pst". The schema declares: Isbn, Ean, Sku, User, Named, Thing, NewUser.',
    '3:5 type-syntax: User.name: "String!!" is no type. Write it like String, String!, [Post!]!.',
    '4:5 wrong-position: User.in: NewUser is an input; a result needs a type. Declare a type with these fields.',
    '6:5 unknown-type: Named.x: there is no type "Nothing". Did you mean "Thing"?',
    '11:5 wrong-position: NewUser.author: User is a type; only scalars, enums and inputs can be given. Declare an input.',
    '12:5 wrong-position: NewUser.named: Named is an interface; only scalars, enums and inputs can be given. Declare an input.',
    '13:5 unknown-type: NewUser.mood: there is no type "Mod". The schema declares: Isbn, Ean, Sku, User, Named, Thing, NewUser.',
    '20:3 unknown-type: Query "user": there is no type "Usr". Did you mean "User"?',
    '20:3 wrong-position: Query "user", argument "thing": Thing is a union; only scalars, enums and inputs can be given. Declare an input.',
    '21:3 wrong-position: Mutation "save": NewUser is an input; a result needs a type. Declare a type with these fields.',
    '22:3 type-syntax: Subscription "saved": "[User" is no type. Write it like String, String!, [Post!]!.',
    '23:3 bad-scalar: Scalar "Isbn": base_type "Strin" is no built-in scalar. Did you mean "String"?',
    '24:3 bad-scalar: Scalar "Ean": base_type "Object" is no built-in scalar. They are: ID, String, Int, Float, Boolean, DateTime, Date, Time, UUID, Decimal, BigInt, JSON, and the semantic scalars.',
    '25:3 bad-scalar: Scalar "Sku": "module" and "export" belong together; one is missing.',
  ])
})

// proves: error.interface-field error.unknown-interface error.union-member
t.test('interfaces and unions', async (t) => {
  const faults = faultsOf({
    version: '1',
    interfaces: [
      type(
        'Named',
        [
          field('name', 'String!', 2),
          field('owner', 'Thing', 3),
          field('other', 'Named', 4),
          field('tags', '[String!]!', 5),
        ],
        1,
      ),
    ],
    types: [
      type(
        'Good',
        [
          field('name', 'String!', 11),
          field('owner', 'Good!', 12),
          field('other', 'Good', 13),
          field('tags', '[String!]!', 14),
        ],
        10,
        { implements: ['Named'] },
      ),
      type('Bad', [field('name', 'String', 21), field('owner', 'Mood', 22), field('tags', '[String]!', 23)], 20, {
        implements: ['Named', 'Namd', 'Mood'],
      }),
    ],
    enums: [{ name: 'Mood', values: [{ name: 'GOOD' }], ...at(30) }],
    unions: [{ name: 'Thing', members: ['Good', 'Mood', 'God', 'Good'], ...at(40) }],
  })
  t.strictSame(faults, [
    '20:3 interface-field: Type "Bad" lacks the field "other: Named" of its interface Named.',
    '20:3 unknown-interface: Type "Bad" implements: there is no interface "Namd". Did you mean "Named"?',
    '20:3 unknown-interface: Type "Bad" implements: "Mood" is no interface. Interfaces: Named.',
    '21:5 interface-field: Bad.name is String; its interface Named says String!.',
    '22:5 interface-field: Bad.owner is Mood; its interface Named says Thing.',
    '23:5 interface-field: Bad.tags is [String]!; its interface Named says [String!]!.',
    '40:3 union-member: Union "Thing": Mood is an enum; members are object types.',
    '40:3 union-member: Union "Thing": there is no type "God". Did you mean "Good"?',
    '40:3 union-member: Union "Thing" has the member Good twice.',
  ])
})

// proves: error.input-cycle
t.test('inputs that need each other without end', async (t) => {
  const faults = faultsOf({
    version: '1',
    input_types: [
      type('A', [field('b', 'B!', 2)], 1),
      type('B', [field('c', 'C!', 4)], 3),
      type('C', [field('a', 'A!', 6), field('b', 'B', 7), field('all', '[A!]!', 8)], 5),
      type('Tree', [field('parent', 'Tree', 10), field('children', '[Tree!]!', 11)], 9),
    ],
  })
  t.strictSame(faults, [
    '1:3 input-cycle: Input "A" needs itself without end: A.b → B.c → C.a → A. Make one of these fields nullable.',
  ])
})

// proves: error.bad-default
t.test('defaults that are no values of their type', async (t) => {
  const faults = faultsOf({
    version: '1',
    enums: [{ name: 'Mood', values: [{ name: 'GOOD' }, { name: 'BAD' }] }],
    input_types: [
      type(
        'Filter',
        [
          field('a', 'Int', 2, { default: 'ten' }),
          field('b', 'String!', 3, { default: null }),
          field('c', 'Mood', 4, { default: 'GOD' }),
          field('d', '[Int!]', 5, { default: [1, 'x'] }),
          field('e', 'Inner', 6, { default: { x: 1, z: 2 } }),
          field('f', 'Inner', 7, { default: {} }),
          field('g', 'Inner', 8, { default: 5 }),
          field('h', 'Inner', 9, { default: { x: 'one' } }),
          field('ok', '[Inner!]', 10, { default: { x: 3 } }),
        ],
        1,
      ),
      type('Inner', [field('x', 'Int!', 12), field('y', 'Mood!', 13, { default: 'GOOD' })], 11),
    ],
    types: [type('User', [field('id', 'ID!', 21), field('age', 'Int', 22, { default: 1.5 })], 20)],
    mutations: [
      { name: 'go', type: 'User', arguments: [{ name: 'when', type: 'Date', default: '2024-13-01' }], ...at(30) },
    ],
  })
  t.match(faults[0], /^2:5 bad-default: Filter\.a: default "ten" is no Int: .*[^.]\.$/)
  t.match(faults.at(-2), /^22:5 bad-default: User\.age: default 1\.5 is no Int: /)
  t.match(faults.at(-1), /^30:3 bad-default: "go", argument "when": default "2024-13-01" is no Date: /)
  t.strictSame(faults.slice(1, 3), [
    '3:5 bad-default: Filter.b: default is null, and the type is non-null.',
    '4:5 bad-default: Filter.c: default "GOD" is no value of Mood; they are GOOD, BAD. Did you mean "GOOD".',
  ])
  t.match(faults[3], /^5:5 bad-default: Filter\.d: default "x" is no Int/)
  t.strictSame(faults.slice(4, 7), [
    '6:5 bad-default: Filter.e: default has the key "z", which Inner does not have.',
    '7:5 bad-default: Filter.f: default lacks x, which Inner needs.',
    '8:5 bad-default: Filter.g: default 5 is no object of Inner.',
  ])
  t.match(faults[7], /^9:5 bad-default: Filter\.h: default "one" is no Int/)
  t.equal(faults.length, 10)
})

// proves: error.field-option
t.test('options of fields that need or exclude each other', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [
      type(
        'User',
        [
          field('a', 'String', 2, { on_deny: 'mask' }),
          field('b', 'String', 3, { computed: true, column: 'x' }),
          field('c', 'Post', 4, { computed: true, relation: { from: 'a', to: 'b' } }),
          field('d', 'String', 5, { computed: true, filterable: true, orderable: true, searchable: true }),
          field('e', 'String', 6, { filterable: false, filter_operators: ['_eq'] }),
          field('f', 'String', 7, { relation: { from: 'a', to: 'b' } }),
          field('g', 'Post', 8, { relation: { from: 'a', to: 'id' }, column: 'x' }),
          field('h', 'Post', 9, { relation: { from: 'a', to: 'id' }, filter_operators: ['_eq'], searchable: true }),
          field('i', '[Post!]', 10, { relation: { from: 'id', to: 'a' }, orderable: true }),
        ],
        1,
        { sql_source: 'v_user' },
      ),
      type('Post', [field('id', 'ID!', 21)], 20),
      type('Part', [field('x', 'Int', 23)], 22, { embedded: true, sql_source: 'v_part' }),
    ],
  })
  t.strictSame(faults, [
    '2:5 field-option: User.a: on_deny says what happens without the right, and nothing asks for one. Add requires_scope, requires_role or authorize.',
    '3:5 field-option: User.b: a computed field is not read from a column. Drop column or computed.',
    '4:5 field-option: User.c: a computed field is no relation. Drop relation or computed.',
    '5:5 field-option: User.d: a computed field is not in the database and cannot be filtered. Drop filterable.',
    '5:5 field-option: User.d: a computed field is not in the database and cannot be sorted by. Drop orderable.',
    '5:5 field-option: User.d: a computed field is not in the database and cannot be searched. Drop searchable.',
    '6:5 field-option: User.e: filterable is false, so filter_operators and filter_type have nothing to say. Drop them or filterable.',
    '7:5 field-option: User.f: a relation leads to a type, and String is a scalar. Drop relation.',
    '8:5 field-option: User.g: a relation has its columns in from and to. Drop column.',
    '9:5 field-option: User.h: operators belong to scalars, and Post is a type. Drop filter_operators.',
    '9:5 field-option: User.h: search reads text, and Post is a type. Drop searchable.',
    '10:5 field-option: User.i: a list of objects cannot be sorted by. Drop orderable.',
    '22:3 field-option: Type "Part" is embedded and has sql_source. Drop one of them.',
  ])
})

// proves: error.validation
t.test('validation rules that cannot hold', async (t) => {
  const rule = (name: string, type: string, line: number, validate: object) => field(name, type, line, { validate })
  const faults = faultsOf({
    version: '1',
    input_types: [
      type(
        'NewUser',
        [
          rule('a', 'String', 2, { pattern: '(' }),
          rule('b', 'String', 3, { min_length: 5, max_length: 2 }),
          rule('c', 'Int', 4, { minimum: 5, maximum: 2 }),
          rule('d', 'Int', 5, { pattern: 'x' }),
          rule('e', 'String', 6, { minimum: 1 }),
          rule('f', 'Email', 7, { pattern: '^.+$', min_length: 1, max_length: 1, enum: ['a'] }),
        ],
        1,
      ),
    ],
  })
  t.match(
    faults[0],
    /^2:5 validation: NewUser\.a: validate: pattern: the regular expression "\(" cannot be used: .+\.$/,
  )
  t.strictSame(faults.slice(1), [
    '3:5 validation: NewUser.b: validate: length: min is greater than max; nothing could pass.',
    '4:5 validation: NewUser.c: validate: range: min is greater than max; nothing could pass.',
    '5:5 validation: NewUser.d: validate: pattern: it is for texts, and Int is none. Use range (minimum, maximum).',
    '6:5 validation: NewUser.e: validate: range: it is for numbers, and String is none. Use length.',
  ])
})

// proves: error.filter-operator error.filter-type
t.test('filter operators and filter types that are none', async (t) => {
  const faults = faultsOf({
    version: '1',
    types: [
      type(
        'User',
        [
          field('id', 'ID!', 2, { filter_operators: ['_eq', '_in'] }),
          field('a', 'Int', 3, { filter_operators: ['_qt', '_icontains'] }),
          field('b', 'String', 4, { filter_type: 'StringFilter' }),
          field('c', 'String', 5, { filter_type: 'StrngFilter' }),
          field('d', 'String', 6, { filter_type: 'Own' }),
          field('e', 'String', 7, { filter_type: 'DateFilter' }),
          field('f', 'JSON', 8, { filter_type: 'StringFilter' }),
          field('g', '[String!]', 9, { filter_type: 'StringFilter' }),
          field('h', 'Int', 9, { filter_type: 'StringFilter' }),
          field('i', 'String', 9, { filter_type: 'IDFilter' }),
        ],
        1,
      ),
    ],
    input_types: [type('Own', [field('_eq', 'String', 11)], 10)],
    queries: [{ name: 'users', type: '[User!]!', ...at(20) }],
  })
  t.match(faults[0], /^3:5 filter-operator: User\.a: Int has no operator "_qt"\. Did you mean "_[a-z]t"\?$/)
  t.match(faults[1], /^3:5 filter-operator: User\.a: Int has no operator "_icontains"\. It has: _eq, /)
  t.strictSame(faults.slice(2), [
    '5:5 filter-type: User.c: filter_type "StrngFilter" is no input type and no built-in filter. Did you mean "StringFilter"?',
    '7:5 filter-type: User.e: filter_type "DateFilter": String cannot carry its operators, which are those of Date. Declare Date, or drop it.',
    '8:5 filter-type: User.f: filter_type "StringFilter": JSON cannot carry its operators, which are those of String. Declare String, or drop it.',
    '9:5 filter-type: User.g: filter_type "StringFilter": a list has operators of its own. Drop it, or leave some with filter_operators.',
  ])
})

// proves: error.needed-deprecated
t.test('nothing is deprecated that has to be given', async (t) => {
  const schema = {
    version: '1',
    types: [{ name: 'User', sql_source: 'v_user', fields: [{ name: 'id', type: 'ID!' }] }],
    input_types: [
      {
        name: 'NewUser',
        fields: [
          { name: 'a', type: 'String!', deprecated: 'x', ...at(1) },
          { name: 'b', type: 'String!', deprecated: 'x', default: 'b', ...at(2) },
          { name: 'c', type: 'String', deprecated: 'x', ...at(3) },
        ],
      },
    ],
    queries: [{ name: 'users', type: '[User!]!', arguments: [{ name: 'id', type: 'ID!', deprecated: 'x' }], ...at(4) }],
  }
  t.strictSame(faultsOf(schema), [
    '1:3 needed-deprecated: NewUser.a is deprecated, and clients have to give it. Let it be null, or give it a default.',
    '4:3 needed-deprecated: "users", argument "id" is deprecated, and clients have to give it. Let it be null, or give it a default.',
  ])
})
