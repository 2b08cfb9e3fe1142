import t from 'tap'
import { schemaNeeds } from '../../../plugins/scopes/schema-needs.ts'
import { compileFixture } from '../../helpers/compile-fixture.ts'

const fields = [{ name: 'id', type: 'ID!' }]

t.test('what an interface asks for a field, its types are asked for', async (t) => {
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
