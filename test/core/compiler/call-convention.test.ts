import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'
import { type FakeFunction, fakeCatalog } from '../../helpers/fake-catalog.ts'

type Functions = FakeFunction | readonly FakeFunction[]

const relations = { v_user: { id: 'uuid', name: 'text' } }
const arg = (name: string, type = 'String') => ({ name, type })

function schemaOf(args: readonly object[], more: Loose = {}): AuthoredSchema {
  return {
    version: '1',
    types: [{ name: 'User', fields: [{ name: 'id', type: 'ID!' }] }],
    input_types: [
      { name: 'NewUser', fields: [arg('name'), arg('birthDate', 'Date'), arg('address', 'Address')] },
      { name: 'Address', fields: [arg('city')] },
    ],
    mutations: [{ name: 'create_user', type: 'User', arguments: args, ...at(7), ...more }],
  } as unknown as AuthoredSchema
}

/** `named p_name=name p_address=json:input.address`, or `positional …`. */
function call(args: readonly object[], fn: Functions | null, more: Loose = {}): string {
  const catalog = fn === null ? null : fakeCatalog(relations, { fn_create_user: fn })
  const mutation = compileArtifact(schemaOf(args, more), catalog).mutations[0]!
  const values = mutation.call.map(({ name, value, has_default: optional }) => {
    const from = value.from === 'inject' ? value.source : value.path.join('.')
    return `${name ?? '?'}${optional ? '?' : ''}=${value.from === 'json' ? `json:${from}` : from}`
  })
  return [mutation.named_call ? 'named' : 'positional', ...values].join(' ')
}

function fault(args: readonly object[], fn: Functions, more: Loose = {}): readonly string[] {
  return faultsOf(schemaOf(args, more) as unknown as Loose, { catalog: fakeCatalog(relations, { fn_create_user: fn }) })
}

const input = [arg('input', 'NewUser!')]

t.test('by name, with or without p_, in any order; what has a default may stay away', async (t) => {
  t.equal(
    call([arg('name'), arg('birthDate', 'Date')], { parameters: { p_birth_date: 'date', p_name: 'text' } }),
    'named p_birth_date=birthDate p_name=name',
  )
  t.equal(call([arg('name')], { parameters: { name: 'text', p_note: 'text?' } }), 'named name=name')
  t.equal(call([arg('name')], { parameters: { p_other: 'text?', _name: 'text?' } }), 'named _name?=name')
  t.equal(call([], { parameters: { p_note: 'text?' } }), 'positional')
  t.equal(call([], {}), 'named')
})

t.test('by position: parameters without names, and only on request those with names', async (t) => {
  t.equal(call([arg('name'), arg('mail')], { parameters: { '#1': 'text', '#2': 'text' } }), 'positional ?=name ?=mail')
  t.equal(
    call([arg('name'), arg('mail')], { parameters: { p_name: 'text', '#2': 'text' } }),
    'positional p_name=name ?=mail',
  )
  const other = { parameters: { a: 'text', b: 'text', c: 'text?' } }
  t.equal(call([arg('name'), arg('mail')], other, { call: 'positional' }), 'positional a=name b=mail')
  const compiled = compileArtifact(
    schemaOf([arg('name')], { call: 'positional' }),
    fakeCatalog(relations, { fn_create_user: { parameters: { x: 'text' } } }),
  )
  t.equal(compiled.mutations[0]!.call.length, 1, 'the option does not overwrite the call')
  t.equal(
    call([arg('mail'), arg('name')], { parameters: { p_name: 'text', p_mail: 'text' } }, { call: 'positional' }),
    'positional p_name=mail p_mail=name',
    'whatever the parameters are called',
  )
  t.match(
    fault([arg('a', 'Int')], { parameters: { p_text: 'text' } }, { call: 'positional' }),
    [/"a" is of another type; the parameter p_text is text/],
    'types are checked still',
  )
  t.match(fault([arg('a')], { parameters: { p_text: 'text' } }, { call: 'named' }), [/call/])
})

t.test('arguments are never bound by position in silence', async (t) => {
  const transfer = { parameters: { p_from: 'text', p_to: 'text', p_amount: 'text' } }
  t.strictSame(fault([arg('recipient'), arg('sender'), arg('amuont')], transfer), [
    '7:3 function-arguments: Mutation "create_user" cannot call fn_create_user(p_from text, p_to text, p_amount text): ' +
      'it has no parameter for "recipient", "sender", "amuont" (did you mean "amount"?). Parameters without a value: ' +
      'p_from, p_to, p_amount. They go together by name, with or without "p_". Rename one side, or set call: "positional" ' +
      'on the mutation to bind its values in the order they are declared.',
  ])
  t.match(
    fault([arg('from'), arg('amount'), arg('to')], { parameters: { p_from: 'text', p_to: 'text', p_sum: 'text' } }),
    [/it has no parameter for "amount"\. Parameters without a value: p_sum\./],
    'nor where some of the names match',
  )
  t.match(
    fault(input, { parameters: { a: 'text', b: 'date', c: 'jsonb' } }),
    [/ function-arguments: /],
    'nor the fields of an input object',
  )
  t.match(
    fault([arg('note', 'JSON'), arg('id')], { parameters: { payload: 'jsonb', p_ident: 'text?' } }),
    [/it has no parameter for "note", "id"/],
    'nor are they wrapped into one object where that leaves a parameter to its default',
  )
  t.match(
    fault([arg('name')], { parameters: { p_name: 'text', p_owner: 'text' } }, { inject: { user: 'jwt:sub' } }),
    [/it has no parameter for "inject user"\. Parameters without a value: p_owner\./],
    'nor claims',
  )
})

t.test('an input object: as JSON where one JSON parameter takes it, else one parameter per field', async (t) => {
  t.equal(call(input, { parameters: { p_input: 'jsonb' } }), 'named p_input=json:input')
  t.equal(call(input, { parameters: { payload: 'jsonb' } }), 'named payload=json:input')
  t.equal(
    call([arg('id', 'ID!'), ...input], { parameters: { p_id: 'uuid', p_changes: 'json' } }),
    'named p_id=id p_changes=json:input',
  )
  t.equal(
    call(input, { parameters: { p_address: 'jsonb', p_name: 'text', p_birth_date: 'date?' } }),
    'named p_address=json:input.address p_name=input.name p_birth_date?=input.birthDate',
  )
  t.equal(
    call(input, { parameters: { a: 'text', b: 'date', c: 'jsonb' } }, { call: 'positional' }),
    'positional a=input.name b=input.birthDate c=json:input.address',
  )
  t.equal(
    call([arg('all', '[NewUser!]!')], { parameters: { p_all: 'jsonb' } }),
    'named p_all=json:all',
    'a list of inputs is one JSON value',
  )
})

t.test('all arguments as one JSON object, where that is the only parameter', async (t) => {
  t.equal(call([arg('name'), arg('mail')], { parameters: { p_data: 'jsonb' } }), 'named p_data=json:')
  t.equal(
    call([arg('data', 'JSON')], { parameters: { payload: 'jsonb' } }),
    'named payload=data',
    'a JSON value is passed as it is',
  )
  t.equal(call([arg('id', 'ID'), ...input], { parameters: { '#1': 'jsonb' } }), 'positional ?=json:')
})

t.test('input_style decides', async (t) => {
  t.equal(
    call(
      input,
      { parameters: { p_name: 'text?', p_birth_date: 'date?', p_address: 'jsonb?' } },
      { input_style: 'flatten' },
    ),
    'named p_name?=input.name p_birth_date?=input.birthDate p_address?=json:input.address',
  )
  t.equal(call([arg('name')], { parameters: { p_name: 'jsonb' } }, { input_style: 'jsonb' }), 'named p_name=json:')
  t.match(fault(input, { parameters: { p_input: 'jsonb' } }, { input_style: 'flatten' }), [/^7:3 function-arguments: /])
  t.match(
    fault(
      input,
      { parameters: { p_name: 'text', p_birth_date: 'date', p_address: 'jsonb' } },
      { input_style: 'jsonb' },
    ),
    [/^7:3 function-arguments: /],
  )
})

t.test('claims: by name anywhere, else after the arguments, in declared order', async (t) => {
  const inject = { tenant_id: 'jwt:tenant', user_id: 'jwt:sub' }
  t.equal(
    call([arg('name')], { parameters: { p_user_id: 'uuid', p_name: 'text', p_tenant_id: 'uuid' } }, { inject }),
    'named p_user_id=jwt:sub p_name=name p_tenant_id=jwt:tenant',
  )
  t.equal(
    call([arg('name')], { parameters: { '#1': 'text', '#2': 'uuid', '#3': 'uuid' } }, { inject }),
    'positional ?=name ?=jwt:tenant ?=jwt:sub',
  )
  t.equal(
    call(
      [arg('name'), arg('mail')],
      { parameters: { p_data: 'jsonb', p_tenant_id: 'uuid', p_user_id: 'uuid' } },
      { inject },
    ),
    'named p_data=json: p_tenant_id=jwt:tenant p_user_id=jwt:sub',
  )
  t.equal(
    call([arg('name'), arg('mail')], { parameters: { '#1': 'jsonb', '#2': 'uuid', '#3': 'uuid' } }, { inject }),
    'positional ?=json: ?=jwt:tenant ?=jwt:sub',
  )
})

t.test('overloads: the one that fits, by name before by position, with the fewest defaults', async (t) => {
  const overloads = [
    { parameters: { '#1': 'text' } },
    { parameters: { p_name: 'text', p_mail: 'text' } },
    { parameters: { p_name: 'text', p_mail: 'text?', p_more: 'text?' } },
  ]
  t.equal(call([arg('name'), arg('mail')], overloads), 'named p_name=name p_mail=mail')
  t.equal(call([arg('x')], overloads), 'positional ?=x')
  t.strictSame(fault([arg('x')], [{ parameters: { '#1': 'text' } }, { parameters: { '#1': 'varchar' } }]), [
    '7:3 function-arguments: Mutation "create_user": fn_create_user(text) and fn_create_user(varchar) fit equally well. Name the arguments like the parameters of the one that is meant.',
  ])
  const schema = schemaOf([arg('name')])
  const two = {
    ...schema,
    mutations: [
      schema.mutations![0]!,
      { ...schema.mutations![0]!, name: 'other', sql_source: 'fn_create_user', arguments: [arg('name'), arg('mail')] },
    ],
  }
  const compiled = compileArtifact(
    two,
    fakeCatalog(relations, { fn_create_user: overloads.slice(1).concat({ parameters: { p_name: 'text' } } as never) }),
  )
  t.strictSame(
    compiled.mutations.map((mutation) => compiled.functions[mutation.function]?.parameters?.length),
    [1, 2],
    'two mutations may call two overloads',
  )
})

// proves: error.function-arguments compile.functions
t.test('a function that does not fit its mutation is a fault', async (t) => {
  const message = (text: string) => [`7:3 function-arguments: Mutation "create_user" cannot call ${text}`]
  const rule = 'They go together by name, with or without "p_".'
  t.strictSame(
    fault([arg('name'), arg('emial')], { parameters: { p_name: 'text', p_phone: 'text', p_email: 'text' } }),
    message(
      `fn_create_user(p_name text, p_phone text, p_email text): it has no parameter for "emial" (did you mean "email"?). Parameters without a value: p_phone, p_email. ${rule}`,
    ),
  )
  t.strictSame(
    fault([arg('emial'), arg('name')], { parameters: { p_name: 'text', p_email: 'int4' } }),
    message(
      `fn_create_user(p_name text, p_email int4): it has no parameter for "emial" (did you mean "email"?). Parameters without a value: p_email. ${rule}`,
    ),
  )
  t.strictSame(
    fault([arg('name'), arg('x')], { parameters: { p_name: 'text = 1' } }),
    message(`fn_create_user(p_name text = 1): it has no parameter for "x". All its parameters are taken. ${rule}`),
  )
  t.strictSame(
    fault([arg('a'), arg('b')], { parameters: { '#1': 'text' } }),
    message('fn_create_user(text): the mutation has 2 values for 1 parameters (a, b).'),
  )
  t.strictSame(
    fault([arg('name', 'Int')], { parameters: { p_name: 'text' } }),
    message('fn_create_user(p_name text): "name" is of another type; the parameter p_name is text.'),
  )
  t.strictSame(
    fault([arg('name')], { parameters: { p_name: 'text', p_tenant: 'uuid' } }),
    message(
      'fn_create_user(p_name text, p_tenant uuid): nothing fills its parameter p_tenant (uuid). Add an argument "tenant", inject it, or give it a default in SQL.',
    ),
  )
  t.match(fault([arg('name')], [{ parameters: { a: 'int4' } }, { parameters: { p_name: 'text', p_b: 'text' } }]), [
    /\(the nearest of 2 overloads\): nothing fills its parameter p_b/,
  ])
  t.strictSame(faultsOf(schemaOf([]) as unknown as Loose, { catalog: fakeCatalog(relations, { fn_create_usr: {} }) }), [
    '7:3 unknown-function: Mutation "create_user": the database has no function "fn_create_user" (the default for its name; set sql_source for another). Did you mean "fn_create_usr"?',
  ])
  t.strictSame(
    faultsOf(schemaOf([], { sql_source: 'app.save' }) as unknown as Loose, { catalog: fakeCatalog(relations) }),
    ['7:3 unknown-function: Mutation "create_user": the database has no function "app.save". It has none.'],
  )
})

// proves: error.unknown-function
t.test('a function that exists and cannot be called is not "not found"', async (t) => {
  const catalog = { ...fakeCatalog(relations), allFunctions: ['fn_create_user', 'fn_create_use'] }
  t.strictSame(faultsOf(schemaOf([arg('name')]) as unknown as Loose, { catalog }), [
    '7:3 unknown-function: Mutation "create_user" cannot call "fn_create_user": it is VARIADIC or a trigger function. Call it from a function with fixed parameters, and name that.',
  ])
})

// proves: warning.positional-call
t.test('without a catalog: by position, claims last, an input as JSON unless it says flatten', async (t) => {
  t.equal(
    call([arg('name'), ...input], null, { inject: { user_id: 'jwt:sub' } }),
    'positional ?=name ?=json:input ?=jwt:sub',
  )
  t.equal(
    call(input, null, { input_style: 'flatten' }),
    'positional ?=input.name ?=input.birthDate ?=json:input.address',
  )
  t.equal(call([arg('a'), arg('b')], null, { input_style: 'jsonb' }), 'positional ?=json:')
})

// proves: error.function-result compile.functions
t.test('results of functions', async (t) => {
  const returns = (type: string, result: FakeFunction['returns']) =>
    fault([], { returns: result } as FakeFunction, { type })
  const scalar = (type: string, set = false) => ({ kind: 'scalar', type, set }) as const
  const message = (type: string, text: string) => [
    `7:3 function-result: Mutation "create_user" returns ${type}: ${text}`,
  ]
  t.strictSame(
    returns('User!', { kind: 'void', type: 'void' }),
    message('User!', 'its function returns nothing (void). Declare Boolean or a nullable result, or return a row.'),
  )
  t.strictSame(
    returns('User', scalar('bool')),
    message('User', 'its function returns bool, which is neither a row nor the id of one.'),
  )
  t.strictSame(
    returns('Int!', scalar('text')),
    message('Int!', 'its function returns text. Declare String, or change the function.'),
  )
  const pair = { kind: 'composite', type: 'pair', set: false, columns: [{ name: 'a' }, { name: 'b' }] } as never
  for (const type of ['String', 'Boolean!', '[Int!]'])
    t.strictSame(
      returns(type, pair),
      message(
        type,
        `its function returns rows of several columns (a, b), which are no ${type.replace(/[[\]!]/g, '')}. Declare JSON, or a type with these fields, or return one value.`,
      ),
    )
  for (const type of ['JSON', 'User']) t.strictSame(returns(type, pair), [], `${type} can be made of two columns`)
  for (const [type, result] of [
    ['Boolean!', { kind: 'void', type: 'void' }],
    ['User', { kind: 'void', type: 'void' }],
    ['User!', scalar('uuid')],
    ['[User!]!', scalar('_uuid')],
    ['User!', scalar('jsonb')],
    ['Int!', scalar('int8')],
    ['[Int!]!', scalar('int8', true)],
    ['User!', { kind: 'composite', type: 'mutation_response' }],
  ] as const) {
    t.strictSame(returns(type, result), [], `${result.type} as ${type}`)
  }
  const cascading = (result: FakeFunction['returns']) =>
    fault([], { returns: result } as FakeFunction, { type: 'User', cascade: true }).map((text) => text.split(': ')[2])
  const columns = (...names: string[]) => names.map((name) => ({ name, type: 'jsonb', notNull: false }))
  const record = (...names: string[]) =>
    ({ kind: 'composite', type: 'r', set: false, columns: columns(...names) }) as never
  for (const result of [record('status', 'entity'), scalar('uuid'), { kind: 'void', type: 'void' } as const]) {
    t.strictSame(cascading(result), [
      'it has cascade, and its function gives no column "cascade" to report other rows in. Add it to the result, or drop cascade.',
    ])
  }
  for (const result of [record('status', 'entity', 'cascade'), record(), scalar('jsonb')]) {
    t.strictSame(cascading(result), [])
  }
  const ghost = { ...schemaOf([], { type: 'Ghost' }), types: [{ name: 'Ghost', embedded: true, fields: [arg('x')] }] }
  t.strictSame(
    faultsOf(ghost as unknown as Loose, {
      catalog: fakeCatalog(relations, { fn_create_user: { returns: scalar('uuid') } }),
    }),
    message(
      'Ghost',
      'its function returns uuid, an id, and Ghost has no source to read the row from. Set sql_source on Ghost.',
    ),
  )
  const keyless = {
    ...schemaOf([], { type: 'Log' }),
    types: [{ name: 'Log', sql_source: 'v_log', fields: [arg('x')] }],
  }
  t.strictSame(
    faultsOf(keyless as unknown as Loose, {
      catalog: fakeCatalog({ v_log: { x: 'text' } }, { fn_create_user: { returns: scalar('uuid') } }),
    }),
    message(
      'Log',
      'its function returns uuid, an id, and v_log has no column "id" to find the row by. Add it, or return the row.',
    ),
  )
})
