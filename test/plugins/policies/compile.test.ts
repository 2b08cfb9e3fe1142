import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { testCompile, testPlugin } from '../../../core/testing/testing.ts'
import { bindPolicies } from '../../../plugins/policies/bindings.ts'
import { resolveTables } from '../../../plugins/policies/check-tables.ts'
import compile from '../../../plugins/policies/compile.ts'
import policies from '../../../plugins/policies/index.ts'
import type { PolicyOptions } from '../../../plugins/policies/options.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const schema = (field: object = {}, query: object = {}): AuthoredSchema =>
  tableSchema(
    {
      name: 'User',
      sql_source: 'v_user',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'full_name', type: 'String!' },
        { name: 'email', type: 'String', ...field },
      ],
    },
    { queries: [{ name: 'users', type: '[User!]!', sql_source: 'v_user', ...query }] },
  )
const NOTHING: PolicyOptions = { rules: [], policies: [], field_auth: [], policy_timeout_ms: 100 }
const run = (options: Partial<PolicyOptions>, authored = schema()) =>
  testCompile(compile, authored, { plugin: 'policies', options: { ...NOTHING, ...options } })
const faults = (...args: Parameters<typeof run>) => run(...args).faults.map(({ message }) => message)
const OWNER = { rules: [{ name: 'owner', rule: 'user.id == object.id' }] }
const of = (type: string, field: string, policy = 'owner') => ({
  ...OWNER,
  field_auth: [{ type_name: type, field_name: field, policy }],
})

t.test('unknown names are faults, with the nearest', async (t) => {
  for (const [options, authored, message] of [
    [of('Usr', 'email'), schema(), /field_auth\]\] Usr\.email: there is no type "Usr"\. Did you mean "User"\?/],
    [of('User', 'emial'), schema(), /User has no field "emial"\. Did you mean "email"\?/],
    [of('User', 'email', 'ownr'), schema(), /there is no policy "ownr"\. Did you mean "owner"\?/],
    [
      OWNER,
      schema({ authorize: 'ownre' }),
      /User\.email: authorize: there is no policy "ownre"\. Did you mean "owner"\?/,
    ],
    [
      OWNER,
      schema({}, { requires_policy: 'x' }),
      /"users": requires_policy: there is no policy "x"\. Policies: owner\./,
    ],
    [
      { policies: [{ name: 'a', type: 'custom', rule: 'ownr' }], ...OWNER },
      schema(),
      /there is no rule or function "ownr"\. Did you mean "owner"/,
    ],
    [
      { ...of('User', 'email'), rules: [{ name: 'owner', rule: 'user.id == object.ownr' }] },
      schema(),
      /object\.ownr: User has no field "ownr"/,
    ],
    [
      { rules: [{ name: 'owner', rule: 'user.id = object.id' }] },
      schema(),
      /rules\]\] "owner": column 9: .*To compare, write "=="/,
    ],
  ] as const) {
    t.match(faults(options as Partial<PolicyOptions>, authored), [message])
  }
  t.match(faults(of('User', 'fullName')), [/looks at the row, and the field may not be null/], 'as on the wire')
})

t.test('entries that say too much or too little', async (t) => {
  for (const [policy, message] of [
    [{ type: 'rbac' }, /decides by roles\. Write roles/],
    [{ type: 'rbac', roles: ['a'], rule: 'true' }, /roles alone/],
    [{ type: 'abac' }, /decides by a rule/],
    [{ type: 'abac', rule: 'true', roles: ['a'] }, /does not look at roles/],
    [{ type: 'abac', rule: 'true', strategy: 'all' }, /strategy is about roles/],
    [{ type: 'hybrid', rule: 'true' }, /decides by roles/],
  ] as const) {
    t.match(faults({ policies: [{ name: 'p', ...policy }] }), [message])
  }
  t.match(faults({ ...OWNER, policies: [{ name: 'owner', type: 'rbac', roles: ['a'] }] }), [/another rule or policy/])
  t.match(run(OWNER).warnings, [{ id: 'policies:unused', message: /"owner" is a rule or policy that nothing asks/ }])
})

t.test('a rule about the row guards a mutation that says which row that is', async (t) => {
  const authored = (operation: 'CREATE' | 'DELETE' | 'UPDATE' | 'CUSTOM', type?: string): AuthoredSchema => ({
    ...schema(),
    mutations: [
      {
        name: 'do_it',
        type: 'User',
        sql_source: 'fn_do',
        operation,
        requires_policy: 'owner',
        ...(type === undefined ? {} : { arguments: [{ name: 'id', type }] }),
      },
    ],
  })
  const aboutUser = { rules: [{ name: 'owner', rule: 'user.id == "ann"' }] }
  const resolved = resolveTables({ ...NOTHING, ...OWNER }, new Set(), () => {})
  for (const operation of ['UPDATE', 'DELETE', 'CUSTOM'] as const) {
    for (const [type, isNamed] of [
      [undefined, false],
      ['ID', false],
      ['[ID!]!', false],
      ['ID!', true],
    ] as const) {
      const found = faults(OWNER, authored(operation, type))
      const message = /"do_it": requires_policy: policy "owner" looks at the row, and no argument says which .*"ID!"/
      t.match(found, isNamed ? [] : [message], `${operation} ${type}`)
      t.equal(found.length, isNamed ? 0 : 1)
      t.strictSame(faults(aboutUser, authored(operation, type)), [])
      // Where it was compiled without the check.
      const { schema: model } = run(aboutUser, authored(operation, type))
      const said: string[] = []
      if (model !== null) bindPolicies(model, resolved, [], (one) => said.push(one))
      t.equal(
        said.some((one) => message.test(one)),
        !isNamed,
        `${operation} ${type}: at boot`,
      )
    }
  }
  t.strictSame(faults(OWNER, authored('CREATE')), [])
})

t.test('names that the schema does not have are said at boot as well', async (t) => {
  const { schema: model } = run(of('User', 'email'))
  const resolved = (rule: string) =>
    resolveTables({ ...NOTHING, rules: [{ name: 'owner', rule }] }, new Set(), () => {})
  const said = (type_name: string, field_name: string, policy = 'owner', rule = 'user.id == object.id') => {
    const messages: string[] = []
    bindPolicies(model!, resolved(rule), [{ type_name, field_name, policy }], (one) => messages.push(one))
    return messages
  }
  const place = '[[security.field_auth]]'
  for (const [args, message] of [
    [['User', 'email'], null],
    [['Usr', 'email'], `${place} Usr.email: there is no type "Usr". Did you mean "User"?`],
    [['Zzzzzz', 'email'], `${place} Zzzzzz.email: there is no type "Zzzzzz". Types: User.`],
    [['User', 'emial'], `${place} User.emial: User has no field "emial". Did you mean "email"?`],
    [['User', 'zzzzzz'], `${place} User.zzzzzz: User has no field "zzzzzz". Fields: id, full_name, email.`],
    [
      ['User', 'email', 'owner', 'user.id == object.idd'],
      `${place} User.email: policy "owner": object.idd: User has no field "idd". Did you mean "id"?`,
    ],
    [
      ['User', 'email', 'owner', 'user.id == object.zzzzzz'],
      `${place} User.email: policy "owner": object.zzzzzz: User has no field "zzzzzz". Fields: id, full_name, email.`,
    ],
    [
      ['User', 'email', 'owner', 'user.id == object.email.id'],
      `${place} User.email: policy "owner": object.email.id: "email" is no single object, so that there is nothing behind it.`,
    ],
  ] as const) {
    const [type, field, policy, rule] = args as readonly string[]
    t.strictSame(said(type!, field!, policy, rule), message === null ? [] : [message], args.join())
  }
})

t.test('the tables are part of what is compiled', async (t) => {
  const { compiled, schema: model } = run(of('User', 'email'))
  t.match(compiled, { requires: ['policies'], plugins: { policies: { block: { field_auth: [{ policy: 'owner' }] } } } })
  t.strictSame(run({}).compiled?.requires, [], 'nothing is asked for where nothing is said')
  const boot = async (options: Partial<PolicyOptions>) => {
    const tested = await testPlugin(policies, { options: options as never, schema: model ?? {} })
    await tested.close()
  }
  await boot(of('User', 'email'))
  await t.rejects(boot({}), { message: /not those that the schema was compiled with\. Run svc compile/ })
  await t.rejects(boot({ ...of('User', 'email'), rules: [{ name: 'owner', rule: 'true' }] }), {
    message: /Run svc compile/,
  })
})

t.test('a policy that does not fit the schema fails the boot', async (t) => {
  for (const [options, authored, message] of [
    [of('User', 'full_name'), schema(), /looks at the row, and the field may not be null/],
    [of('User', 'email'), schema({ authorize: 'owner', on_deny: 'reject' }), /on_deny = "reject" would have to know/],
    [
      { ...of('User', 'email'), rules: [{ name: 'owner', rule: 'object.id > user.id' }] },
      schema(),
      /cannot be compared with ">"/,
    ],
    [
      OWNER,
      { ...schema(), queries: [{ name: 'n', type: 'Int', sql_source: 'v_user', requires_policy: 'owner' }] },
      /has no fields|has no rows/,
    ],
  ] as const) {
    const { faults: found, schema: model } = run(options as Partial<PolicyOptions>, authored as AuthoredSchema)
    const said =
      found[0]?.message ??
      (await testPlugin(policies, { options: options as never, schema: model ?? {} }).then(
        async (tested) => {
          await tested.close()
          return null
        },
        (error: Error) => error.message,
      ))
    t.match(said, message)
  }
})
