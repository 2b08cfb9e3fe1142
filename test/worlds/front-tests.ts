/** The tests of what answers clients: GraphQL, REST, subscriptions, server-sent events, MCP, federation and events. */
export const FRONTS: readonly string[] = [
  'test/conformance/{queries,mutations,edge-values,options,bad-input,session-variables}.test.ts',
  'test/plugins/graphql/{service,http,variables}.test.ts',
  'test/plugins/rest/{read,write,routes,odd-ids,write-keys}.test.ts',
  'test/plugins/subscriptions/{websocket,filters,durable,topic-gap}.test.ts',
  'test/plugins/sse',
  'test/plugins/mcp/{tools,streams}.test.ts',
  'test/plugins/federation/entities.test.ts',
  'test/plugins/observers/{sqldb,elsewhere}.test.ts',
]
