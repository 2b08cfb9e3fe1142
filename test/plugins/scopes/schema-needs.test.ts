import t from 'tap'
import { schemaNeeds } from '../../../plugins/scopes/guards.ts'
import { compileFixture } from '../../helpers/compile-fixture.ts'
import { authOf } from '../../helpers/test-credential.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const fields = [{ name: 'id', type: 'ID!' }]

t.test('the requirements of a field of an interface apply to its types', async (t) => {
  const model = compileFixture(
    {
      version: '1',
      interfaces: [
        { name: 'Person', fields: [...fields, { name: 'email', type: 'String', requires_scope: 'read:email' }] },
      ],
      types: [
        {
          name: 'User',
          sql_source: 'v_user',
          implements: ['Person'],
          fields: [...fields, { name: 'email', type: 'String', requires_role: ['hr'], on_deny: 'reject' }],
        },
        {
          name: 'Guest',
          sql_source: 'v_guest',
          implements: ['Person'],
          fields: [...fields, { name: 'email', type: 'String' }],
        },
      ],
      queries: [
        { name: 'users', type: '[User!]!', sql_source: 'v_user' },
        { name: 'guests', type: '[Guest!]!', sql_source: 'v_guest' },
      ],
    },
    null,
  )
  const { targets, needs } = schemaNeeds(model)
  const told = targets.map(({ target, onDeny, needs }) => [target, onDeny, ...needs.map(({ key }) => key)])
  t.strictSame(told.sort(), [
    ['Guest.email', 'mask', 'scope read:email'],
    ['User.email', 'reject', 'role ["hr"]', 'scope read:email'],
  ])
  t.equal(needs.size, 2, 'equal needs are one')
})

t.test('needs that look alike are two: two scopes, and one whose name is both', async (t) => {
  const asking = (name: string, requires_scope: string) => ({ name, type: 'String', requires_scope })
  const { targets, needs } = schemaNeeds(
    compileFixture(
      tableSchema({
        name: 'User',
        sql_source: 'v_user',
        list: 'users',
        fields: [...fields, asking('email', 'read email'), asking('phone', 'reademail'), asking('fax', 'read  email')],
      }),
      null,
    ),
  )
  const seenWith = (...scopes: readonly string[]) =>
    targets
      .filter((target) => target.needs.every((need) => need.isMetBy(authOf({ scopes: [...scopes] }))))
      .map(({ target }) => target)
  t.strictSame(seenWith('read', 'email').sort(), ['User.email', 'User.fax'])
  t.strictSame(seenWith('reademail'), ['User.phone'])
  t.strictSame(seenWith('read', 'email', 'reademail').length, 3, 'who has all')
  t.equal(needs.size, 2, 'the spaces between scopes are no difference')
})
