<?php

namespace App;

class OrderElements
{
    # A plain comment about get_order
    #[McpTool(name: '«get_order»get_order', description: "Fetches")]
    public function fetch(string «get_order.id»$id, ?int $limit = null): array
    {
        return [];
    }

    /** Lists them. */
    #[McpTool]
    public function «list_orders»list_orders(int «list_orders.page»$page = 1): array
    {
        return [];
    }
}
