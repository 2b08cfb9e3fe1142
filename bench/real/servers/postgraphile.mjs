// PostGraphile 5 over the tables, as for production (needs Node 22 or later).
import { createServer } from 'node:http'
import { kitModule } from './kit-module.mjs'

const [{ postgraphile }, { PostGraphileAmberPreset }, { makePgService }, filters, { grafserv }] = await Promise.all([
  kitModule('postgraphile'),
  kitModule('postgraphile/presets/amber'),
  kitModule('postgraphile/adaptors/pg'),
  kitModule('postgraphile-plugin-connection-filter'),
  kitModule('postgraphile/grafserv/node'),
])
const preset = {
  extends: [PostGraphileAmberPreset, filters.PostGraphileConnectionFilterPreset],
  disablePlugins: ['NodePlugin', 'PgIndexBehaviorsPlugin'],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['public'],
      poolConfig: { max: Number(process.env.PG_POOL) },
      pubsub: false,
    }),
  ],
  schema: { dontSwallowErrors: true, defaultBehavior: '+list +connection', connectionFilterRelations: true },
  grafast: { explain: false },
  grafserv: {
    graphqlPath: '/graphql',
    graphiql: false,
    graphqlOverGET: true,
    websockets: false,
    watch: false,
    outputDataAsString: true,
  },
}
const serving = postgraphile(preset).createServ(grafserv)
const server = createServer()
await serving.addTo(server)
await serving.ready()
server.listen(Number(process.env.PORT), '127.0.0.1')
