/** Content of schema.py in the template `blog` of `svc init`. */
export const BLOG_SCHEMA_PY = `from __future__ import annotations

import enum
from typing import Annotated

import svc


@svc.enum
class PostStatus(enum.Enum):
    # The left side is what clients say, the right side what the database holds.
    DRAFT = "draft"
    PUBLISHED = "published"


@svc.type(sql_source="v_author")
class Author:
    id: svc.ID
    name: str
    email: svc.Email
    bio: str | None
    "A line or two about the author"
    created_at: svc.DateTime
    posts: list[Post]
    comments: list[Comment]


@svc.type(sql_source="v_post")
class Post:
    id: svc.ID
    slug: str
    "The title as part of a URL"
    title: str
    body: str
    status: PostStatus
    published_at: svc.DateTime | None
    created_at: svc.DateTime
    author: Author
    comments: list[Comment]
    tags: list[PostTag]


@svc.type(sql_source="v_comment")
class Comment:
    id: svc.ID
    body: str
    created_at: svc.DateTime
    author: Author
    post: Post


@svc.type(sql_source="v_tag")
class Tag:
    id: svc.ID
    name: str
    posts: list[PostTag]


@svc.type(sql_source="v_post_tag")
class PostTag:
    """A tag on a post"""

    id: svc.ID
    post: Post
    tag: Tag


@svc.input
class CreatePost:
    author_id: svc.ID
    title: str
    body: str
    tags: Annotated[list[str], svc.field(default=[])]


@svc.input
class UpdatePost:
    """What is left out stays as it is"""

    title: str | None
    body: str | None


@svc.input
class AddComment:
    post_id: svc.ID
    author_id: svc.ID
    body: str


# A list query takes where, orderBy, limit and offset; an argument of another query is a condition on its column.
@svc.query(sql_source="v_author")
def authors() -> list[Author]: ...


@svc.query(sql_source="v_author")
def author(id: svc.ID) -> Author | None: ...


@svc.query(sql_source="v_post")
def posts() -> list[Post]: ...


@svc.query(sql_source="v_post")
def post(id: svc.ID) -> Post | None: ...


@svc.query(sql_source="v_post")
def post_by_slug(slug: str) -> Post | None: ...


@svc.query(sql_source="v_tag")
def tags() -> list[Tag]: ...


@svc.mutation(sql_source="fn_create_post", operation="CREATE")
def create_post(input: CreatePost) -> Post: ...


@svc.mutation(sql_source="fn_update_post", operation="UPDATE")
def update_post(id: svc.ID, input: UpdatePost) -> Post: ...


@svc.mutation(sql_source="fn_publish_post")
def publish_post(id: svc.ID) -> Post: ...


@svc.mutation(sql_source="fn_delete_post", operation="DELETE")
def delete_post(id: svc.ID) -> Post: ...


@svc.mutation(sql_source="fn_add_comment", operation="CREATE")
def add_comment(input: AddComment) -> Comment: ...


svc.export()
`
