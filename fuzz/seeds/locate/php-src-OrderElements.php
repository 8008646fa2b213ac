src/OrderElements.php
<?php

namespace App;

class OrderElements
{
    # A plain comment about get_order
    #[McpTool(name: 'get_order', description: "Fetches")]
    public function fetch(string $id, ?int $limit = null): array
    {
        return [];
    }

    /** Lists them. */
    #[McpTool]
    public function list_orders(int $page = 1): array
    {
        return [];
    }
}
