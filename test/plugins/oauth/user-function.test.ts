import t from 'tap'
import { POSTGRES } from '../../../core/doors/driver.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import type { Profile } from '../../../plugins/oauth/profile.ts'
import { createUserFunction } from '../../../plugins/oauth/user-function.ts'

/** A database whose function gives this JSON text. */
const giving = (text: string | null) =>
  createUserFunction(
    'fn_user',
    () => ({ dialect: POSTGRES, query: async () => ({ rows: [[text]] }) }) as unknown as Database,
  )

t.test('numbers keep their digits: rounded, one user would be another', async (t) => {
  const user = await giving('{"id": 9007199254740993, "tenant_id": 12345678901234567890, "level": 3}')({} as Profile)
  t.same(user, { id: '9007199254740993', tenant_id: '12345678901234567890', level: 3 })
  t.same(await giving('{"id": "a"}')({} as Profile), { id: 'a' })
  for (const text of ['{"id": ""}', '{"id": null, "name": "x"}', '{"id": {}}', '{"id": true}']) {
    await t.rejects(giving(text)({} as Profile), /without "id"/, text)
  }
  for (const text of [null, 'null', '{"id": null}']) await t.rejects(giving(text)({} as Profile), /no access/)
})
