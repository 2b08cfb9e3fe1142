import t from 'tap'
import { runService, svc } from '../helpers/service.ts'

// Several processes start one after the other, on a machine that does other things too.
t.setTimeout(600_000)

const SCHEMA = `
import { afterMutation, authorFunction, beforeMutation, Email, field, ID, Int, input, middleware, mutation, nullable, query, String, SvcError, type, list, validate } from 'svc/authoring'

export const isFree = authorFunction('validator', 'is_free', (value: string, { input }: { input: Record<string, unknown> }) =>
  value !== 'taken' && input.age !== 13)
export function isEven(value: number): boolean | string {
  return value % 2 === 0 || \`\${value} is odd\`
}
export const isLate = authorFunction('validator', 'isLate', (async () => { throw new Error('later') }) as never)

export const region = middleware(async (request, next) => {
  request.context.region = request.headers['x-region'] ?? 'eu'
  const reply = await next(request)
  return { ...reply, headers: { ...reply.headers, 'x-served': String_(request.context.region) } }
})
const String_ = (value: unknown) => \`\${value}\`
export const quota = beforeMutation('create_user', (args: { input: { name: string } }, context) => {
  if (args.input.name === 'Zed') throw new SvcError('QUOTA', \`No Zed in \${context.context.region}\`)
})
export const audit = afterMutation('createUser', async (user: { id: string }, { query }) => {
  await query('INSERT INTO tb_audit VALUES ($1)', [user.id])
})

@type({ sqlSource: 'v_user' })
export class User {
  @field(ID) id!: string
  @field(String) name!: string
  @field(Int) audits!: number
}

@input({ validate: { anyOf: ['email', 'phone'] } })
export class CreateUser {
  @validate({ length: { min: 2 } }, { custom: isFree, message: 'This name is taken' })
  @field(String) name!: string
  @field(nullable(Email), { validate: { pattern: /@example\\.org$/ } }) email!: string | null
  @field(nullable(String)) phone!: string | null
  @field(nullable(Int), { validate: { custom: isEven } }) age!: number | null
  @field(nullable(String), { validate: { custom: isLate } }) late!: string | null
}

export class Api {
  @query(() => list(User), { sqlSource: 'v_user' }) users!: unknown
  @mutation(() => User, { sqlSource: 'fn_create_user', args: { input: CreateUser }, inputStyle: 'jsonb' }) createUser!: unknown
}
`
const TOML = `
[database]
url = "pglite:data"
[svc]
schema_file = "schema.ts"
[svc.validation]
create_user_phone = { pattern = { pattern = '^\\+\\d+$', message = "Begins with +" } }
create_user = [
  { type = "conditional_required", value = {
      if_field_present = "phone",
      then_required = ["age"],
  } },
]
[security]
default_policy = "public"
[plugins]
preset = "minimal"
enable = ["middleware"]
`
const SQL = `
CREATE TABLE tb_user (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL);
CREATE TABLE tb_audit (id uuid NOT NULL);
CREATE VIEW v_user AS SELECT id, name, (SELECT count(*)::int FROM tb_audit a WHERE a.id = u.id) AS audits FROM tb_user u;
CREATE FUNCTION fn_create_user(input jsonb) RETURNS uuid LANGUAGE sql AS
  $$ INSERT INTO tb_user (name) VALUES (input->>'name') RETURNING id $$;
`

// proves: rules.toml rule.custom input_field.validate
t.test('rules of decorators and of svc.toml, with validators of the module, hold in the running service', async (t) => {
  const dir = t.testdir({ 'schema.ts': SCHEMA, 'svc.toml': TOML, db: { '01.sql': SQL } })
  const compile = await svc(['compile'], dir)
  t.equal(compile.code, 0, compile.stderr)
  const service = await runService(t, dir)
  const create = async (input: object) => {
    const { body } = await service.graphql('mutation($input: CreateUser!) { createUser(input: $input) { name } }', {
      input,
    })
    return body.errors?.map(({ message, path, extensions }) => [path, message, extensions.code]) ?? body.data
  }
  const CODE = 'VALIDATION_ERROR'
  const ok = { name: 'Ann', email: 'a@example.org' }
  t.strictSame(await create(ok), { createUser: { name: 'Ann' } })
  t.strictSame(await create({ ...ok, name: 'A' }), [[['createUser', 'input', 'name'], 'Length at least 2', CODE]])
  t.strictSame(await create({ ...ok, name: 'taken' }), [[['createUser', 'input', 'name'], 'This name is taken', CODE]])
  t.strictSame(await create({ ...ok, email: 'a@example.com', age: 13 }), [
    [['createUser', 'input', 'name'], 'This name is taken', CODE],
    [['createUser', 'input', 'email'], 'Must match pattern', CODE],
    [['createUser', 'input', 'age'], '13 is odd', CODE],
  ])
  t.strictSame(await create({ ...ok, phone: '1' }), [[['createUser', 'input', 'phone'], 'Begins with +', CODE]])
  t.strictSame(await create({ ...ok, phone: '+1' }), [
    [['createUser', 'input'], "Since 'phone' is provided, 'age' must also be provided", CODE],
  ])
  t.strictSame(await create({ name: 'Ann' }), [
    [['createUser', 'input'], 'At least one of [email, phone] must be provided', CODE],
  ])
  t.strictSame(await create({ ...ok, name: 'Zed' }), [[['createUser'], 'No Zed in eu', 'QUOTA']])
  const { headers, body } = await service.graphql('{ audited: users { audits } }')
  t.equal(headers.get('x-served'), 'eu', 'middleware of the module')
  t.strictSame(body.data, { audited: [{ audits: 1 }] }, 'and its hooks, in the transaction')
  // A promise is neither yes nor no.
  const late = await service.graphql(
    'mutation { createUser(input: { name: "Ann", email: "a@example.org", late: "x" }) { name } }',
  )
  t.match(late.body, {
    errors: [
      {
        message: 'A rule for what clients send has failed. Nothing was run.',
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
  })
  t.equal((await service.graphql('{ users { id } }')).body.data.users.length, 1, 'only the first was written')
  t.equal(await service.stop(), 0)
})

t.test('a rule of svc.toml that cannot hold is reported with its line', async (t) => {
  const toml = TOML.replace('create_user_phone', 'create_user_fone')
  const dir = t.testdir({ 'schema.ts': SCHEMA, 'svc.toml': toml, db: { '01.sql': SQL } })
  const compile = await svc(['compile', '--offline'], dir)
  t.equal(compile.code, 1)
  t.match(
    compile.stderr,
    /^svc\.toml:7:1 {2}error {2}\[svc\.validation\] "create_user_fone" is no input, and no field of one\. Did you mean "create_user_phone"\?$/m,
  )
})
