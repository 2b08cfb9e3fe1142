/** The schema that the benchmark kit's dialect needs, over the flat views of its database. */
import { Boolean, DateTime, Float, field, ID, Int, list, mutation, nullable, query, String, type } from 'svc/authoring'

@type({ sqlSource: 'vf_user' })
export class User {
  @field(ID) id!: string
  @field(String) username!: string
  @field(String) email!: string
  @field(String) fullName!: string
  @field(Boolean) isActive!: boolean
  @field(DateTime) createdAt!: string
}

@type({ sqlSource: 'vf_post', relay: true })
export class Post {
  @field(ID) id!: string
  @field(String) title!: string
  @field(String) slug!: string
  @field(String) status!: string
  @field(Int) viewCount!: number
  @field(nullable(Float)) rating!: number | null
  @field(DateTime) createdAt!: string
  @field(DateTime) updatedAt!: string
  @field(() => User, { relation: { from: 'fk_user', to: 'pk_user' } }) author!: User
  @field(() => list(Comment), { relation: { from: 'pk_post', to: 'fk_post' } }) comments!: Comment[]
}

@type({ sqlSource: 'vf_comment' })
export class Comment {
  @field(ID) id!: string
  @field(String) body!: string
  @field(DateTime) createdAt!: string
  @field(() => User, { relation: { from: 'fk_user', to: 'pk_user' } }) author!: User
}

@type({ sqlSource: 'vf_tag' })
export class Tag {
  @field(ID) id!: string
  @field(String) name!: string
}

export class Api {
  @query(() => nullable(User), { sqlSource: 'vf_user', args: { id: ID } }) user!: unknown
  @query(() => nullable(Post), { sqlSource: 'vf_post', args: { id: ID } }) post!: unknown
  @query(() => list(Post), { sqlSource: 'vf_post' }) posts!: unknown
  @query(() => list(Comment), { sqlSource: 'vf_comment' }) comments!: unknown
  @query(() => list(Tag), { sqlSource: 'vf_tag' }) tags!: unknown
  @query(() => list(Post), { sqlSource: 'vf_post', relay: true }) postsConnection!: unknown
  @mutation(() => Post, {
    sqlSource: 'fn_create_post',
    operation: 'CREATE',
    args: { authorId: ID, title: String, content: String },
  })
  createPost!: unknown
}
