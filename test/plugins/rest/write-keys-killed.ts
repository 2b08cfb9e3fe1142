import { openApp } from '../../helpers/open-app.ts'
import { REST_SCHEMA, restPlugin } from './world.ts'

/** A service that says where it listens, for a test that kills it. Arguments: the URL of the database, that of the key-value server. */
const [url, kvstore] = process.argv.slice(2) as [string, string?]
const owner = { test: () => {}, teardown: () => {} } as never
const app = await openApp(owner, { kind: 'postgres', url }, REST_SCHEMA, {
  plugins: [restPlugin(kvstore === undefined ? {} : { kvstore_url: kvstore })],
})
process.send?.(await app.listen())
